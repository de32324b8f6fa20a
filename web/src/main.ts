import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { settleTheme } from "./lib/theme.svelte";

const place = document.getElementById("table");
if (place === null) throw new Error("the page has no #table to lay the battle on");

settleTheme();
export default mount(App, { target: place });
