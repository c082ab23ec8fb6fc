import type { ConsoleData } from './console-data.ts'

/** Reads from the server of the page. */
export const servedData: ConsoleData = {
  overview: () => json('/api/overview'),
  history: shoot => json(`/api/shoot?id=${encodeURIComponent(shoot)}`),
  search: text => json(`/api/search?q=${encodeURIComponent(text)}`),
  plan: async (object, destroy) =>
    (await answer(`/api/plan?object=${encodeURIComponent(object)}&delete=${destroy}`)).text(),
  follow: ({ shoot, era, after, onUpdate, onReset, onConnection }) => {
    const query = shoot === undefined ? '' : `&shoot=${encodeURIComponent(shoot)}`
    // The browser connects again by itself, and names the last message.
    const source = new EventSource(`/api/live?after=${era}.${after}${query}`)
    source.onopen = () => onConnection(true)
    source.onerror = () => onConnection(false)
    source.onmessage = ({ data }) => onUpdate(JSON.parse(data))
    source.addEventListener('reset', () => {
      source.close()
      onReset()
    })
    return () => source.close()
  },
}

const answer = async (path: string): Promise<Response> => {
  const response = await fetch(path)
  if (!response.ok) throw new Error(await response.text())
  return response
}

const json = async <T>(path: string): Promise<T> => (await answer(path)).json()
