/** Returns the URL of a path, with its query, below another URL: `http://proxy/bridge` and `/journal`. */
export const urlBelow = (url: string, path: string): URL => {
  const below = new URL(path, url)
  below.pathname = new URL(url).pathname.replace(/\/+$/, '') + below.pathname
  return below
}
