// Runs inside the bus component: clicks on [data-act] become Gradio events, values become actions.
const names = ["select", "exclude", "undo", "similar", "remove", "relax", "clarify", "example",
  "modality", "role", "task", "clear", "choose", "unchoose", "plan", "planfile", "recipe", "where", "papers", "answerer", "visit", "remark", "offers", "turn", "series"];
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-act]");
  if (!button || !names.includes(button.dataset.act)) return;
  trigger(button.dataset.act, { id: button.dataset.id, kind: button.dataset.kind || "" });
});
window.addEventListener("scanscout:select", (event) => trigger("select", { id: event.detail, kind: "" }));
window.addEventListener("scanscout:again", (event) => trigger("select", { id: event.detail, kind: "" }));
window.addEventListener("scanscout:visit", (event) => trigger("visit", { id: event.detail, kind: "" }));
window.addEventListener("scanscout:offers", () => trigger("offers", { id: "", kind: "" }));
watch("value", () => {
  window.dispatchEvent(new CustomEvent("scanscout:bus", { detail: props.value }));
});
document.body.dataset.bus = "1";
