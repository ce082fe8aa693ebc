// The page is in English whatever the browser prefers: so are the words that Gradio adds, and the language
// in which a screen reader reads it.
Object.defineProperty(navigator, "language", { get: () => "en" });
