// SPDX-License-Identifier: BSD-3-Clause
//
// copy.js: the clipboard, and files to download.
import { announce, iconButton, setIcon } from "./dom.js";

// Browsers without the clipboard interface (pages from a plain HTTP address) copy a selection.
function copySelection(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "unseen";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

// Returns a button that copies the text of getText().
export function copyButton(label, getText) {
  const button = iconButton("copy", label, null, async () => {
    const done = await copyText(getText());
    setIcon(button, done ? "check" : "close");
    announce(done ? "Copied." : "The browser did not allow copying.");
    setTimeout(() => setIcon(button, "copy"), 1200);
  });
  return button;
}

// Offers bytes as a file.
export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[^\w.-]+/g, "_").replace(/^\.+/, "") || "clump.png";
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
