/** Reads a body to its end; keeps its text where it stays within the limit, else only its size. */
export async function readBounded(response: Response, limitBytes: number): Promise<{ readonly text: string | null; readonly sizeBytes: number }> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  if (response.body === null) return { text: '', sizeBytes };
  // Web streams are async iterable in Node; the DOM's declaration does not say so.
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes <= limitBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return { text: sizeBytes > limitBytes ? null : Buffer.concat(chunks).toString('utf8'), sizeBytes };
}
