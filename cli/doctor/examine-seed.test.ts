import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageVersion } from '../../build/project/package-version.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { hasCloud } from '../../sandbox/seed/seed.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { httpTransport, openAccess, type Transport } from '../../shared/kubernetes/kubernetes.ts'
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts'
import { examineCluster, examineSeed } from './examine-seed.ts'
import { UnreachableError } from './reach-server.ts'
import { seedReads } from './reads.ts'
import { type AreaReport, exitCodeOfReport } from './run-checks.ts'

const functions = (await findFunctions()).filter(one => !hasCloud(one))
const options = {
  clock: systemClock,
  version: await packageVersion(),
  namespace: undefined,
  functions,
  webhooks: [],
  signal: new AbortController().signal,
}

const saidOf = (report: readonly AreaReport[], state: string) =>
  report.flatMap(({ diagnoses }) => diagnoses.filter(one => one.state === state).map(({ text }) => text))

describe('the seed of a sandbox', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startSandbox({ providers: [], functions, clouds: {}, idleMs: 60_000, observe: () => {} })
  })
  afterAll(() => sandbox.close())

  test('it is found, and has no problem', async () => {
    const report = await examineCluster(openAccess(sandbox.kubernetesUrl), options)
    expect(saidOf(report, 'problem')).toEqual([])
    expect(saidOf(report, 'ok')).toEqual(
      expect.arrayContaining([
        'the Broker default is ready',
        `${functions.length} of the ${functions.length} functions of this version are deployed`,
        `${functions.length} Triggers are ready`,
        expect.stringMatching(/^(\d+) of \1 programs have version /),
      ]),
    )
  })

  test('with partial permissions, it is checked as far as possible', async () => {
    const transport = httpTransport({ access: openAccess(sandbox.kubernetesUrl) })
    const refusing: Transport = async request =>
      /brokers|workers/.test(request.path)
        ? {
            status: 403,
            headers: {},
            body: (async function* () {
              yield Buffer.from('{"kind":"Status","code":403,"reason":"Forbidden","message":"no"}')
            })(),
          }
        : transport.send(request)
    const report = await examineSeed({ ...options, transport: refusing, server: 'x' })
    transport.close()
    expect(saidOf(report, 'problem')).toEqual([])
    expect(saidOf(report, 'skipped')).toContainEqual(
      expect.stringMatching(/^\d+ checks \(broker.*\): you may not list brokers.eventing.knative.dev$/),
    )
    expect(saidOf(report, 'warning')).toContain(
      'you may not list brokers.eventing.knative.dev, list workers.extensions.gardener.cloud: the checks that need it are skipped',
    )
  })

  test('with a missing Trigger, it has a problem', async () => {
    const { kubernetes } = sandbox
    const key = { namespace: 'trellis', name: functions[0]?.name ?? '' }
    const lost = await kubernetes.get(seedReads.triggers.resource, key)
    await kubernetes.delete(seedReads.triggers.resource, key)
    const report = await examineCluster(openAccess(sandbox.kubernetesUrl), options)
    expect(saidOf(report, 'problem')).toEqual([
      `the function ${key.name} is deployed but has no Trigger, so it receives no events`,
    ])
    expect(exitCodeOfReport(report)).toBe(1)
    expect(lost?.metadata.name).toBe(key.name)
  })

  test('with two installations, the command asks for the namespace', async () => {
    await sandbox.kubernetes.create(seedReads.extensionNamespaces.resource, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'extension-trellis-x' },
    })
    const [other] = (await sandbox.kubernetes.list(seedReads.triggers.resource)).items
    const { name = '' } = other?.metadata ?? {}
    await sandbox.kubernetes.create(seedReads.triggers.resource, {
      apiVersion: 'eventing.knative.dev/v1',
      kind: 'Trigger',
      metadata: { name, namespace: 'extension-trellis-x' },
      spec: other?.spec,
    })
    await expect(examineCluster(openAccess(sandbox.kubernetesUrl), options)).rejects.toThrow(
      new UsageError(
        'Trellis is installed in several namespaces: extension-trellis-x, trellis. Choose one with --namespace',
      ),
    )
  })
})

describe('an API server that does not answer the first request', () => {
  const answering = async (status: number, body: string) => {
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const failure = await examineCluster(openAccess(url), options).catch((error: unknown) => error)
    server.close()
    return { url, failure }
  }

  test('with an expired token, the message says so, and advises to sign in again', async () => {
    const { url, failure } = await answering(401, '{"kind":"Status","code":401,"reason":"Unauthorized"}')
    expect(failure).toBeInstanceOf(UnreachableError)
    expect(String(failure)).toContain(`the API server ${url} does not accept the credentials (401)`)
    expect(String(failure)).toMatch(/\n {2}→ sign in again/)
  })

  test('if it is no API server, the message says so, and advises to check the server in the kubeconfig', async () => {
    const { failure } = await answering(200, '<html>')
    expect(String(failure)).toMatch(/answers 200, but not like an API server\.\n {2}→ check the server/)
  })

  test('if it is unreachable, the message says so, with the reason', async () => {
    const failure = examineCluster(openAccess('http://127.0.0.1:9'), options)
    await expect(failure).rejects.toThrow(
      /^cannot reach the API server http:\/\/127.0.0.1:9: .*ECONNREFUSED.*\n {2}→ /,
    )
  })

  test('if it does not answer, the message says so', async () => {
    const silent = { ...options, signal: AbortSignal.abort() }
    await expect(examineCluster(openAccess('http://127.0.0.1:9'), silent)).rejects.toThrow(
      /did not answer in time/,
    )
  })
})
