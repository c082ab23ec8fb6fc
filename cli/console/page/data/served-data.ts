import type { ConsoleData } from './console-data.ts'

/** Reads from the server of the page. @param key of the console, for a page that may act */
export const servedData = (key: string | undefined): ConsoleData => ({
  overview: () => json('/api/overview'),
  history: shoot => json(`/api/shoot?id=${encodeURIComponent(shoot)}`),
  search: text => json(`/api/search?q=${encodeURIComponent(text)}`),
  events: object => json(`/api/events?object=${encodeURIComponent(object)}`),
  plan: async (object, destroy) =>
    (await answer(`/api/plan?object=${encodeURIComponent(object)}&delete=${destroy}`)).text(),
  canAct: key !== undefined,
  allowed: ids => act('allowed', { ids }, key),
  prepare: asked => act('prepare', asked, key),
  write: id => act('write', { id }, key),
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
})

const act = async <T>(path: string, body: object, key = ''): Promise<T> => {
  const headers = { 'content-type': 'application/json', 'x-trellis-key': key }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) }
  return (await answer(`/api/act/${path}`, sent)).json()
}

const answer = async (path: string, sent?: RequestInit): Promise<Response> => {
  const response = await fetch(path, sent)
  if (!response.ok) throw new Error(await response.text())
  return response
}

const json = async <T>(path: string): Promise<T> => (await answer(path)).json()
