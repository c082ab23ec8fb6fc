import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createAws } from '../simulator.ts'
import { addHostedZone, hostedZones } from './inventory.ts'

/** Requests that Gardener's Go extension sent, recorded; not part of the product. */
const recordings = fileURLToPath(new URL('../../../../shared/golden/dnsrecord/', import.meta.url))

interface RecordedCall {
  readonly action: string
  readonly http: string
  readonly body?: string
}

const recorded = (file: string): Record<'create' | 'idle' | 'delete', RecordedCall[]> =>
  JSON.parse(readFileSync(`${recordings}${file}`, 'utf8'))

const signature =
  'AWS4-HMAC-SHA256 Credential=AKIA/20260101/us-east-1/route53/aws4_request, SignedHeaders=host, Signature=00'

const play = async (url: string, { http, body }: RecordedCall): Promise<number> => {
  const [method = 'GET', path = '/'] = http.split(' ')
  const response = await fetch(url + path, {
    method,
    headers: { authorization: signature },
    ...(body === undefined ? {} : { body }),
  })
  await response.arrayBuffer()
  return response.status
}

test.skipIf(!existsSync(recordings)).each([
  ['a.calls.json', 'a.example.com. A'],
  ['cname-elb-alias.calls.json', 'lb.example.com. A'],
])('the calls of the Go extension in %s make %s', async (file, made) => {
  const aws = createAws()
  addHostedZone(aws.account(), { name: 'example.com', id: 'B5S7MRE9RT2C69IM9A2QMY' })
  const server = await aws.listen()
  const records = () =>
    hostedZones(aws.account())[0]
      ?.recordSets.slice(2)
      .map(set => `${set.Name} ${set.Type}`)
  try {
    const calls = recorded(file)
    const statuses: number[] = []
    for (const call of [...calls.create, ...calls.idle]) statuses.push(await play(server.url, call))
    expect(statuses).toEqual(statuses.map(() => 200))
    expect(records()).toEqual([made])
    // The recorded deletion of the alias repeats a TTL that only the emulator of the recording gives back.
    if (file.startsWith('a.')) {
      for (const call of calls.delete) expect(await play(server.url, call)).toBe(200)
      expect(records()).toEqual([])
    }
    const actions = aws.calls.all().map(call => `${call.service}:${call.action}`)
    expect(actions.slice(0, calls.create.length)).toEqual(calls.create.map(call => call.action))
  } finally {
    await server.close()
  }
})
