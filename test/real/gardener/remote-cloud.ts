import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { MachineCloud, SecretData } from '../../../sandbox/machine-controller/machine-controller.ts'
import type { Machine, MachineClass } from '../../../shared/contract/objects.ts'
import { messageOf } from '../../../shared/text/message-of.ts'

interface Question {
  readonly machine?: Machine
  readonly machineClass: MachineClass
  /** Values in base64. */
  readonly secret: SecretData | null
}

export interface RemoteCloud {
  readonly url: string
  close(): Promise<void>
}

const missing = 'machine codes error: code = [NotFound] message = [no such machine]'

/** Serves a machine cloud of the sandbox to the driver in `machine-controller`. */
export const serveCloud = async (cloud: MachineCloud): Promise<RemoteCloud> => {
  const ended = new AbortController()
  const answerTo = async (call: string, { machine, machineClass, secret }: Question): Promise<unknown> => {
    const data = Object.fromEntries(
      Object.entries(secret ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    )
    const { signal } = ended
    if (call === 'list') return { machines: Object.fromEntries(await cloud.list(machineClass, data, signal)) }
    const { metadata, spec } = machine ?? {}
    // The controller sends an empty id for a machine without one.
    const providerId = spec?.providerID || undefined
    const request = { name: metadata?.name ?? '', providerId, machineClass, secret: data }
    if (call === 'create') return cloud.create(request, signal)
    if (call === 'remove') {
      await cloud.remove(request, signal)
      return {}
    }
    if (call === 'initialize') await cloud.initialize(request, signal)
    const found = await cloud.find(request, signal)
    if (found === undefined) throw new Error(missing)
    return found
  }
  const server = createServer((request, response) => {
    const answer = async () => answerTo((request.url ?? '').slice(1), (await json(request)) as Question)
    answer()
      .then(found => response.end(JSON.stringify(found)))
      .catch(error => response.writeHead(500).end(messageOf(error)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      ended.abort()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
