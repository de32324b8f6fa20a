import { mount } from "svelte";
import App from "./App.svelte";

const place = document.getElementById("table");
if (place === null) throw new Error("the page has no #table to lay the battle on");

export default mount(App, { target: place });
