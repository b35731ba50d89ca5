import { render } from "preact";
import { connect } from "./rpc";
import { Workbench } from "./workbench";

connect();
render(<Workbench />, document.getElementById("app")!);
