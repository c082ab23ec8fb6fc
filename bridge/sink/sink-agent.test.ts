import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../shared/clock/clock.ts'
import { createPost } from '../../shared/events/events.ts'
import { createSinkAgent, type SinkAgentOptions } from './sink-agent.ts'

const newAuthority = async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'broker' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
  return { cert, key }
}

let folder = ''
const servers = new Set<Server>()
const agents = new Set<ReturnType<typeof createSinkAgent>>()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-trust-'))
})
afterEach(async () => {
  for (const agent of agents) agent.destroy()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  agents.clear()
  servers.clear()
  await rm(folder, { recursive: true })
})

const serve = async (identity: { readonly cert: string; readonly key: string }) => {
  const server = createServer(identity, (request, response) => {
    request.resume().on('end', () => response.writeHead(202).end())
  })
  servers.add(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const postWith = (options: Partial<SinkAgentOptions>) => {
  const agent = createSinkAgent({
    sink: 'https://127.0.0.1/',
    idleConnections: 2,
    caCerts: undefined,
    caFile: join(folder, 'absent'),
    ...options,
  })
  agents.add(agent)
  const post = createPost({ agent, timeoutMs: 5_000, clock: systemClock })
  return async (url: string) => {
    const message = { headers: {}, body: Buffer.from('{}') }
    return (await post(url, message, new AbortController().signal)).status
  }
}

describe('the connections to the sink', () => {
  test('they trust no unknown certificate authority', async () => {
    const { url } = await serve(await newAuthority())
    await expect(postWith({})(url)).rejects.toThrow(/self-signed certificate/)
  })

  test('they trust the certificates of K_CA_CERTS', async () => {
    const authority = await newAuthority()
    const { url } = await serve(authority)
    expect(await postWith({ caCerts: authority.cert })(url)).toBe(202)
  })

  test('they trust a file, and every file in the folders that Knative mounts', async () => {
    const [one, other] = [await newAuthority(), await newAuthority()]
    await mkdir(join(folder, 'knative', 'bundle', '..2026'), { recursive: true })
    await writeFile(join(folder, 'knative', 'bundle', 'ca.crt'), one.cert)
    await writeFile(join(folder, 'knative', 'readme.txt'), 'no certificate')
    await writeFile(join(folder, 'one.pem'), other.cert)
    expect(await postWith({ caFile: join(folder, 'knative') })((await serve(one)).url)).toBe(202)
    expect(await postWith({ caFile: join(folder, 'one.pem') })((await serve(other)).url)).toBe(202)
  })

  test('they trust a renewed authority without a restart', async () => {
    const [old, renewed] = [await newAuthority(), await newAuthority()]
    const caFile = join(folder, 'ca.crt')
    await writeFile(caFile, old.cert)
    const post = postWith({ caFile })
    const { server, url } = await serve(old)
    expect(await post(url)).toBe(202)
    server.setSecureContext(renewed)
    server.closeAllConnections()
    await expect(post(url)).rejects.toThrow()
    await writeFile(caFile, renewed.cert)
    expect(await post(url)).toBe(202)
  })
})
