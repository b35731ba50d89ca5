import { render } from "preact";
import { startChecking } from "./checking";
import { watchFiles } from "./documents";
import { listenToKeys } from "./keys";
import { connect } from "./rpc";
import { start } from "./start";
import { connectLanguage } from "./text/server";
import { startTheme } from "./theme";
import { Workbench } from "./workbench";

startTheme();
watchFiles();
start();
startChecking();
connect();
connectLanguage();
listenToKeys();
render(<Workbench />, document.getElementById("app")!);
