-- A person at work: a model with mistakes is opened, mended, changed and checked.

local t = dofile(vim.env.GNOMON_TELLING)

local said = {}
vim.notify = function(words)
  table.insert(said, words)
end

local function diagnostics()
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    local code = each.code or each.user_data.lsp.code
    table.insert(found, {
      line = each.lnum + 1,
      column = each.col + 1,
      end_column = each.end_col + 1,
      code = code,
      message = each.message,
      source = each.source,
    })
  end
  table.sort(found, function(a, b)
    return a.line < b.line
  end)
  return found
end

vim.cmd("edit model.ispl")
t.tell("filetype", vim.bo.filetype)
t.tell("pid", t.server().rpc.pid)

t.step("mistakes", function()
  t.await("mistakes", function()
    return #vim.diagnostic.get(0) == 2
  end)
  return diagnostics()
end)

t.step("a check of mistakes", function()
  return t.command("gnomon.check", {})
end)

t.step("quick fixes", function()
  t.go("{ pres,", 2)
  local offered = t.choosing("Write", vim.lsp.buf.code_action)
  t.await("the fix", function()
    return t.text():find("{ press, rest };\n    Other", 1, true)
  end)
  return { offered = offered, line = vim.api.nvim_get_current_line() }
end)

t.step("mended", function()
  t.replace("briht;", "bright;")
  t.await("no mistakes", function()
    return #vim.diagnostic.get(0) == 0
  end)
  return diagnostics()
end)

t.step("definition", function()
  t.go("<Ann>F bright", 8)
  vim.lsp.buf.definition()
  t.await("the jump", function()
    return vim.fn.getline("."):find("bright if", 1, true)
  end)
  return vim.api.nvim_win_get_cursor(0)
end)

t.step("references", function()
  t.go("lamp")
  vim.lsp.buf.references()
  t.await("the list", function()
    return #vim.fn.getqflist() > 0
  end)
  local found = {}
  for _, each in ipairs(vim.fn.getqflist()) do
    table.insert(found, { each.lnum, each.col })
  end
  vim.cmd("cclose")
  return found
end)

t.step("hover", function()
  t.go("lamp")
  vim.lsp.buf.hover()
  local shown
  t.await("a window", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        shown = window
      end
    end
    return shown
  end)
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(shown), 0, -1, true)
  vim.api.nvim_win_close(shown, true)
  return table.concat(lines, "\n")
end)

t.step("completion", function()
  t.go("Environment.lamp = on", #"Environment.lamp = ")
  local found = t.ask("textDocument/completion", vim.lsp.util.make_position_params())
  local words = {}
  for _, item in ipairs(found.items) do
    table.insert(words, item.label)
  end
  return words
end)

t.step("rename", function()
  t.go("lamp")
  vim.lsp.buf.rename("light")
  t.await("the new name", function()
    return t.text():find("light", 1, true)
  end)
  return t.text()
end)

t.step("rename refused", function()
  t.go("light")
  local before = t.text()
  said = {}
  vim.lsp.buf.rename("end")
  t.await("a word about it", function()
    return #said > 0
  end)
  return { same = before == t.text(), said = said }
end)

t.step("format", function()
  vim.lsp.buf.formatting_sync(nil, t.patience)
  return t.text()
end)

t.step("check", function()
  return t.command("gnomon.check", { numbers = { 1 } })
end)

t.step("lens", function()
  t.go_to_lenses("always :")
  local offered = t.choosing("▶ check", vim.lsp.codelens.run)
  t.await("a verdict", function()
    return #vim.diagnostic.get(0) > 0
  end)
  return { offered = offered, told = diagnostics() }
end)

t.step("drawn", function()
  t.await("two verdicts", function()
    local drawn = t.drawn("gnomon")
    return #drawn == 2 and not drawn[2].words:find("checked", 1, true)
  end)
  return t.drawn("gnomon")
end)

t.step("formulae", function()
  return t.ask("gnomon/formulae", { textDocument = { uri = vim.uri_from_bufnr(0) } })
end)

t.step("explained", function()
  t.go_to_lenses("always :")
  local windows = #vim.api.nvim_list_wins()
  t.choosing("explain", vim.lsp.codelens.run)
  t.await("a window", function()
    return #vim.api.nvim_list_wins() > windows
  end)
  local text = t.text()
  vim.cmd("close")
  return text
end)

t.step("simulated", function()
  t.go_to_lenses("always :")
  local windows = #vim.api.nvim_list_wins()
  t.choosing("simulate", vim.lsp.codelens.run)
  t.await("a window", function()
    return #vim.api.nvim_list_wins() > windows
  end)
  t.await("the first state", function()
    return t.text():find("light = off", 1, true)
  end)
  local kind = vim.bo.buftype
  vim.cmd("bdelete!")
  return kind
end)

t.step("stale", function()
  t.replace("Environment.light = off", "Environment.light = on")
  t.await("stale verdicts", function()
    local drawn = t.drawn("gnomon")
    return #drawn == 2 and drawn[1].words:find("stale", 1, true)
  end)
  t.await("the end of the message", function()
    return not vim.tbl_contains(vim.tbl_map(function(each)
      return each.code
    end, diagnostics()), "verdict")
  end)
  return { drawn = t.drawn("gnomon"), told = diagnostics() }
end)

t.step("fresh again", function()
  vim.cmd("silent undo")
  t.await("fresh verdicts", function()
    local drawn = t.drawn("gnomon")
    return #drawn == 2 and not drawn[1].words:find("stale", 1, true)
  end)
  return t.drawn("gnomon")
end)

t.step("expected", function()
  t.go("always :")
  t.choosing("Expect", vim.lsp.buf.code_action)
  t.await("the expectation", function()
    return t.text():find("expect false", 1, true)
  end)
  t.await("no message", function()
    return #vim.diagnostic.get(0) == 0
  end)
  return vim.fn.getline(vim.fn.search("always :", "nw"))
end)

t.step("GnomonCheck", function()
  said = {}
  vim.cmd("GnomonCheck")
  t.await("two verdicts", function()
    return #said >= 2
  end)
  return said
end)

t.step("settings", function()
  local client = t.server()
  local function lenses()
    return #t.ask("textDocument/codeLens", { textDocument = { uri = vim.uri_from_bufnr(0) } })
  end
  local before = lenses()
  client.notify("workspace/didChangeConfiguration", { settings = { gnomon = { lenses = false } } })
  return { before = before, after = lenses() }
end)

t.step("restarted", function()
  local before = t.server().id
  vim.cmd("silent write")
  vim.lsp.stop_client(vim.lsp.get_active_clients())
  t.await("the end of the server", function()
    return vim.lsp.get_client_by_id(before) == nil
  end)
  vim.cmd("edit")
  local client = t.server()
  local said_again = t.ask("gnomon/formulae", { textDocument = { uri = vim.uri_from_bufnr(0) } })
  return { another = client.id ~= before, pid = client.rpc.pid, states = vim.tbl_map(function(each)
    return each.state
  end, said_again) }
end)

t.step("a template", function()
  vim.cmd("edit population.pmas")
  local client = t.server()
  return { filetype = vim.bo.filetype, same = client.id == vim.lsp.get_active_clients()[1].id,
    servers = #vim.lsp.get_active_clients() }
end)

t.tell("log", vim.lsp.get_log_path())
vim.cmd("qa!")
