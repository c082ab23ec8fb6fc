import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle, mainFile, nodeFlags, snapshotArgs, writeSnapshot } from '../../build/images/images.ts'

const root = new URL('../..', import.meta.url).pathname

/** Calls an AWS service once and prints the result. */
const program = `
  import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
  import { startProcess } from './shared/runtime/start/start-process.ts'
  import { createRequestHandler } from './terraform-free-infra/aws/account/aws.ts'
  const main = async () => {
    const credentials = { accessKeyId: 'AKIA', secretAccessKey: 's' }
    const sts = new STSClient({ region: 'eu-west-1', credentials, maxAttempts: 1, requestHandler: createRequestHandler() })
    const said = await sts.send(new GetCallerIdentityCommand({})).then(({ Account }) => Account, error => error.message)
    console.log(said)
    process.exit()
  }
  startProcess(main, async () => {})
`

const account = '123456789012'
const identity = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <GetCallerIdentityResult><Account>${account}</Account></GetCallerIdentityResult>
</GetCallerIdentityResponse>`

let folder = ''
let aws: Server
let proxy: Server
/** The hosts of the requests to the proxy, with their credentials. */
const asked: (readonly [host: string | undefined, authorization: string | undefined])[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-proxy-'))
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'aws' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'sts.eu-west-1.amazonaws.com' }] },
    ],
  })
  await writeFile(join(folder, 'ca.pem'), cert)
  aws = await listening(
    createTlsServer({ cert, key }, (_, response) =>
      response.setHeader('content-type', 'text/xml').end(identity),
    ),
  )
  proxy = await listening(
    createHttpServer().on('connect', (request, socket) => {
      asked.push([request.url, request.headers['proxy-authorization']])
      const tunnel = connect(portOf(aws), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
        socket.pipe(tunnel).pipe(socket)
      })
      socket.on('error', () => tunnel.destroy())
      tunnel.on('error', () => socket.destroy())
    }),
  )
  await bundle({
    source: { stdin: { contents: program, resolveDir: root } },
    out: join(folder, mainFile),
  })
  await writeSnapshot(folder)
})
afterAll(async () => {
  for (const server of [proxy, aws]) await new Promise(resolve => server.close(resolve))
  await rm(folder, { recursive: true })
})

const listening = async <S extends Server>(server: S): Promise<S> => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const run = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> => {
  asked.length = 0
  const { stdout } = await promisify(execFile)(process.execPath, [...args], {
    env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), ...env },
  })
  return stdout.trim()
}

const plainArgs = (from: string): readonly string[] => [...nodeFlags, join(from, mainFile)]

const starts = [
  ['a bundle', plainArgs],
  ['a snapshot', snapshotArgs],
] as const

test.each(starts)('a program that uses %s calls AWS by the proxy of its environment', async (_, argsOf) => {
  const env = { HTTPS_PROXY: `http://user:planted@127.0.0.1:${portOf(proxy)}` }
  expect(await run(argsOf(folder), env)).toBe(account)
  const authorization = `Basic ${Buffer.from('user:planted').toString('base64')}`
  expect(asked).toEqual([['sts.eu-west-1.amazonaws.com:443', authorization]])
})

test.each([
  ['is its own machine', '127.0.0.1', ''],
  ['NO_PROXY names', '0.0.0.0', 'example.com,0.0.0.0'],
])('a program uses no proxy for a host that %s', async (_, host, noProxy) => {
  const env = {
    HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
    NO_PROXY: noProxy,
    AWS_ENDPOINT_URL: `https://${host}:${portOf(aws)}`,
  }
  // The call reaches AWS directly and fails there, because the certificate is for another name.
  expect(await run(plainArgs(folder), env)).toContain(`IP: ${host} is not in the cert's list`)
  expect(asked).toEqual([])
})

test('the error names a proxy that refuses, without its password', async () => {
  const closed = await listening(createHttpServer())
  closed.on('connect', (_, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
  const place = `127.0.0.1:${portOf(closed)}`
  const said = await run(plainArgs(folder), { HTTPS_PROXY: `http://user:planted@${place}` })
  await new Promise(resolve => closed.close(resolve))
  expect(said).toContain(
    `Failed to establish tunnel to sts.eu-west-1.amazonaws.com:443 via http://${place}/: HTTP/1.1 407`,
  )
  expect(said).not.toContain('planted')
})
