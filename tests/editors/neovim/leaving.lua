-- The editor is left in the middle of a check that takes for ever.

local t = dofile(vim.env.GNOMON_TELLING)

vim.cmd("edit model.ispl")
t.tell("pid", t.server().rpc.pid)
t.step("underway", function()
  local hard = { uri = vim.uri_from_bufnr(0), strategies = "uniform" }
  local asked = { command = "gnomon.check", arguments = { hard } }
  vim.lsp.buf_request(0, "workspace/executeCommand", asked, function() end)
  t.await("a check underway", function()
    local drawn = t.drawn("gnomon")
    return #drawn > 0 and drawn[1].words:find("being checked", 1, true)
  end)
  vim.wait(1500, function()
    return false
  end)
  return t.drawn("gnomon")
end)
vim.cmd("qa!")
