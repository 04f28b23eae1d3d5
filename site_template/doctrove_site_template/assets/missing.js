// The page for what is missing stands at any depth and asks for this script in every folder above. Where it
// answers is the site: it loads the other assets from there and puts the links right.
const root = new URL("../", import.meta.url);
const project = document.querySelector("[data-project]");
const load = (tag, attributes) => document.head.append(Object.assign(document.createElement(tag), attributes));
const style = (href) => load("link", { rel: "stylesheet", blocking: "render", href });

load("script", { src: new URL("./theme.js", import.meta.url).href });
style(new URL("./style.css", import.meta.url).href);
if (project) style(new URL(project.dataset.project, root).href);
load("link", { rel: "icon", type: "image/svg+xml", href: new URL("./favicon.svg", import.meta.url).href });
for (const link of document.querySelectorAll("a[href^='/']")) {
  link.setAttribute("href", root.pathname + link.getAttribute("href").slice(1));
}
import("./page.js");
