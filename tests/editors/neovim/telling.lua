-- What happens is told to the test as lines of JSON; whatever is waited for has a limit.

local M = {}

M.patience = 30000  -- milliseconds: a loaded machine must not fail the tests

--- Tell one fact.
function M.tell(name, fact)
  io.stdout:write(vim.json.encode({ name = name, fact = fact }), "\n")
  io.stdout:flush()
end

--- Do something and tell what it returns. Where it fails, tell how, and leave: the next steps build on it.
function M.step(name, work)
  local well, found = pcall(work)
  if well then
    M.tell(name, found)
  else
    io.stdout:write(vim.json.encode({ name = name, failure = tostring(found) }), "\n")
    io.stdout:flush()
    vim.cmd("qa!")
  end
end

--- Wait until something is so, or fail.
function M.await(what, condition)
  if not vim.wait(M.patience, condition, 10) then
    error("this never came: " .. what)
  end
end

--- Ask the server, and return its answer.
function M.ask(method, params)
  local answers, problem = vim.lsp.buf_request_sync(0, method, params, M.patience)
  if not answers then
    error(method .. ": " .. problem)
  end
  local _, answer = next(answers)
  if answer.error then
    error(method .. ": " .. answer.error.message)
  end
  return answer.result
end

--- Have a command of the server done.
function M.command(name, argument)
  argument.uri = vim.uri_from_bufnr(0)
  return M.ask("workspace/executeCommand", { command = name, arguments = { argument } })
end

--- Return the server of this text, once it has begun.
function M.server()
  M.await("a server", function()
    return next(vim.lsp.buf_get_clients(0)) ~= nil
  end)
  local _, client = next(vim.lsp.buf_get_clients(0))
  return client
end

--- Put the cursor on the first occurrence of some words, so many bytes in.
function M.go(words, inside)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  if vim.fn.search("\\V" .. words, "cW") == 0 then
    error("there is no " .. words)
  end
  local place = vim.api.nvim_win_get_cursor(0)
  vim.api.nvim_win_set_cursor(0, { place[1], place[2] + (inside or 0) })
end

--- Put the cursor on some words, and wait until there are lenses in this line.
function M.go_to_lenses(words)
  M.go(words)
  M.changed()
  M.await("lenses", function()
    for _, lens in ipairs(vim.lsp.codelens.get(0)) do
      if lens.range.start.line == vim.fn.line(".") - 1 then
        return true
      end
    end
  end)
end

--- Say that the text has changed, as Neovim does where somebody types.
function M.changed()
  vim.cmd("doautocmd TextChanged")
end

--- Replace some words in the line in which they first stand.
function M.replace(old, new)
  M.go(old)
  local line = vim.api.nvim_get_current_line()
  local start, finish = line:find(old, 1, true)
  vim.api.nvim_set_current_line(line:sub(1, start - 1) .. new .. line:sub(finish + 1))
  M.changed()
end

function M.text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n") .. "\n"
end

--- Choose from the next menu by the beginning of a title; return what was offered.
function M.choosing(title, work)
  local offered, before = {}, vim.ui.select
  vim.ui.select = function(items, options, chosen)
    for _, item in ipairs(items) do
      local words = options.format_item(item)
      table.insert(offered, words)
      if vim.startswith(words, title) then
        chosen(item)
        chosen = function() end
      end
    end
  end
  local well, problem = pcall(function()
    work()
    M.await("a menu with " .. title, function()
      return #offered > 0
    end)
  end)
  vim.ui.select = before
  if not well then
    error(problem)
  end
  return offered
end

--- Return what is drawn behind the lines by one namespace, as a map from lines to words.
function M.drawn(name)
  local space = vim.api.nvim_get_namespaces()[name]
  local found = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
    local words = {}
    for _, chunk in ipairs(mark[4].virt_text or {}) do
      table.insert(words, chunk[1])
    end
    table.insert(found, { line = mark[2] + 1, words = table.concat(words) })
  end
  return found
end

return M
