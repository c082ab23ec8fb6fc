/** Returns the URL of a path, with its query, below another URL: `http://proxy/bridge` and `/journal`. */
export const urlBelow = (url: string, path: string): URL => {
  const below = new URL(path, url)
  const { pathname } = new URL(url)
  let end = pathname.length
  while (pathname[end - 1] === '/') end -= 1
  below.pathname = pathname.slice(0, end) + below.pathname
  return below
}
