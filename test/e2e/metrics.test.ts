import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSeed, type TestSeed } from './harness.ts'

/** Receives the reports of functions. Needed because their environment is created before the bridge has a port. */
let door: Server
let seed: TestSeed

beforeAll(async () => {
  door = createServer(async (request, response) => {
    const parts: Uint8Array[] = []
    for await (const part of request) parts.push(part as Uint8Array)
    const answer = await fetch(`${seed.bridgeUrl}${request.url}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${seed.reportToken('aws-dnsrecord')}` },
      body: Buffer.concat(parts).toString('utf8'),
    })
    response.writeHead(answer.status).end()
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  const { port } = door.address() as AddressInfo
  seed = await startTestSeed({ processes: { TRELLIS_REPORT_TO: `http://127.0.0.1:${port}/reports` } })
})
afterAll(async () => {
  await seed?.close()
  door.close()
  door.closeAllConnections()
})

/** Returns the values of a metric by its labels. */
const series = async (name: string): Promise<Readonly<Record<string, number>>> => {
  const text = await (await fetch(`${seed.bridgeUrl}/metrics`)).text()
  const lines = text.matchAll(new RegExp(`^${name}\\{([^}]*)\\} (\\S+)$`, 'gm'))
  return Object.fromEntries([...lines].map(([, labels = '', value]) => [labels, Number(value)]))
}

test('the bridge reports the result of a step, and the counts of its function after that has ended', async () => {
  await seed.create('api')
  await seed.untilReady('api')
  expect(await series('trellis_object_steps_total')).toEqual({
    'kind="DNSRecord",provider="aws-route53",operation="reconcile",outcome="succeeded"': 1,
  })
  expect(await series('trellis_object_ready_seconds_count')).toEqual({
    'kind="DNSRecord",operation="reconcile"': 1,
  })

  for (const child of seed.processes) await child.close()
  expect(await series('trellis_function_steps_total')).toMatchObject({
    'program="aws-dnsrecord",kind="DNSRecord",operation="reconcile",outcome="succeeded",function="aws-dnsrecord"': 1,
  })
  const calls = await series('trellis_function_cloud_requests_total')
  expect(calls).toMatchObject({
    'program="aws-dnsrecord",cloud_service="route53",operation="ChangeResourceRecordSets",status="200"': 1,
  })
  // The same number as in the cloud's log.
  expect(Object.values(calls).reduce((sum, count) => sum + count, 0)).toBe(seed.actions().length)
  expect(
    (await series('trellis_function_kubernetes_requests_total'))[
      'program="aws-dnsrecord",method="PATCH",status="200"'
    ],
  ).toBeGreaterThan(0)
})
