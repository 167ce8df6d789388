// SPDX-License-Identifier: BSD-3-Clause
(async () => {
  try {
    const packed = atob(document.getElementById("clump-script").textContent);
    const bytes = Uint8Array.from(packed, (c) => c.charCodeAt(0));
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const texts = (await new Response(inflated).text()).split("\0");
    ["style", "script"].forEach((name, k) => {
      const element = document.createElement(name);
      element.textContent = texts[k];
      document.head.append(element);
    });
  } catch (error) {
    document.getElementById("clump-sentence").textContent =
      "This browser cannot show the points: it lacks DecompressionStream (Chrome 103, Firefox 113, Safari 16.4).";
  }
})();
