(async () => {
  try {
    const packed = atob(document.getElementById("clump-script").textContent);
    const bytes = Uint8Array.from(packed, (c) => c.charCodeAt(0));
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const script = document.createElement("script");
    script.textContent = await new Response(inflated).text();
    document.body.append(script);
  } catch (error) {
    document.getElementById("clump-sentence").textContent =
      "This browser cannot show the points: it lacks DecompressionStream (Chrome 103, Firefox 113, Safari 16.4).";
  }
})();
