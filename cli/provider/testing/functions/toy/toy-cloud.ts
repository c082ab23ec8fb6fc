import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ProvidedCloud } from '../../../../../sandbox/providers/provider.ts'
import type { CloudCall } from '../../../../../sandbox/seed/seed.ts'

/** Calls the toy: `get` or `put` of a name. */
export type ToyConnection = (
  action: 'get' | 'put',
  name: string,
  values?: readonly string[],
) => Promise<unknown>

const callOf = (action: string, name: string, values: unknown): CloudCall => ({
  service: 'names',
  action,
  region: undefined,
  input: { name, values },
  isRead: action === 'get',
  about: action === 'get' ? '' : ` ${name} → ${values}`,
  answer: '200',
  isNotThere: false,
})

/** A cloud that stores values by name, over HTTP or in this process. */
export const simulateToy = (records: Readonly<Record<string, unknown>> = {}): ProvidedCloud => {
  const held = new Map(Object.entries(records))
  const listeners = new Set<(call: CloudCall) => void>()
  let calls = 0
  const connection: ToyConnection = async (action, name, values) => {
    calls++
    if (action === 'put') held.set(name, values)
    for (const listener of listeners) listener(callOf(action, name, values))
    return held.get(name)
  }
  return {
    connection,
    listen: async ({ port }) => {
      const server = createServer(async (request, response) => {
        const [action, name, values] = JSON.parse(await text(request))
        response.end(JSON.stringify((await connection(action, name, values)) ?? null))
      }).listen(port, '127.0.0.1')
      await once(server, 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      return { url, close: async () => void server.close().closeAllConnections() }
    },
    environment: url => ({ TOY_URL: url }),
    onCall: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    prepare: () => {},
    snapshot: () => Object.fromEntries(held),
    callCount: () => calls,
    fault: () => ({ text: 'nothing fails', order: () => () => {} }),
  }
}

/** Connects to the toy at a URL. */
export const connectToy =
  (url: string, onCall: (call: CloudCall) => void = () => {}): ToyConnection =>
  async (action, name, values) => {
    onCall(callOf(action, name, values))
    const body = JSON.stringify([action, name, values])
    return (await fetch(url, { method: 'POST', body })).json()
  }
