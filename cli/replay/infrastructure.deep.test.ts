import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { cluster, entries, infrastructure, replay, saved, temporaryFiles } from './testing/replay-run.ts'

let files: Awaited<ReturnType<typeof temporaryFiles>>
beforeAll(async () => {
  files = await temporaryFiles()
})
afterAll(() => files.remove())

/** The final state of AWS after an infrastructure was created, with a change in the file. */
const account = async (change: (text: string) => string) => {
  const path = await files.write('made.json', '')
  await replay([infrastructure('create')], { cluster, follow: true, saveAwsState: path })
  const text = await readFile(path, 'utf8')
  const changed = change(text)
  expect(changed).not.toBe(text)
  return files.write('changed.json', changed)
}

const sentences = (all: Awaited<ReturnType<typeof entries>>) =>
  all.flatMap(({ aws }) => aws.writes.map(({ sentence }) => sentence))

describe('the output', () => {
  test.each(['create', 'unchanged', 'delete'])(
    'for infrastructure-%s, it is the same every time',
    async name => {
      const options = { cluster, follow: true }
      const first = await replay([infrastructure(name)], options)
      const second = await replay([infrastructure(name)], options)
      expect(second).toEqual(first)
      expect(first.ok).toBe(true)
      await expect(first.text).toMatchFileSnapshot(`golden/infrastructure-${name}.txt`)
    },
  )

  test('for a drift, it is the repair', async () => {
    const natRoute = /\{"destination":"[^"]*","target":\{"type":"nat-gateway","id":"[^"]*"\}\}/g
    const awsState = await account(text => text.replaceAll(natRoute, ''))
    const { text } = await replay([infrastructure('unchanged')], { cluster, awsState })
    await expect(text).toMatchFileSnapshot('golden/infrastructure-drift.txt')
    expect(text).toMatch(/^aws {9}\d+ reads, 1 write$/m)
    expect(text).toMatch(/CreateRoute rtb-\S+ 0\.0\.0\.0\/0 → nat-/)
  })
})

describe('a step that waits', () => {
  test('it is the last one, unless the following events are replayed too', async () => {
    const [only, ...more] = await entries([infrastructure('create')], { cluster })
    expect(more).toEqual([])
    expect(only?.outcome).toEqual({ kind: 'recorded', how: 'continues' })
    const all = await entries([infrastructure('create')], { cluster, follow: true })
    expect(all.map(({ outcome }) => outcome.how)).toEqual(['continues', 'succeeded'])
  })

  test('with the resources in the object’s status, it continues with the same calls', async () => {
    const [, followed] = await entries([infrastructure('create')], { cluster, follow: true })
    const [alone] = await entries([infrastructure('continue')], { cluster })
    expect(alone?.assumed).toBe(true)
    expect(sentences(alone ? [alone] : [])).toEqual(sentences(followed ? [followed] : []))
    expect(alone?.object.after.status).toEqual(followed?.object.after.status)
  })

  test('it continues from the previous event in the file', async () => {
    const both = await Promise.all(['create', 'continue'].map(name => saved(infrastructure(name))))
    const path = await files.write('both.jsonl', both.map(event => JSON.stringify(event)).join('\n'))
    const all = await entries([path], { cluster })
    expect(all.map(({ outcome, assumed }) => [outcome.how, assumed])).toEqual([
      ['continues', false],
      ['succeeded', false],
    ])
    expect(sentences(all.slice(1))).toEqual(sentences(await entries([infrastructure('continue')])))
  })
})

describe('the past of an infrastructure', () => {
  /** The event with the ids of another account. */
  const elsewhere = async (name: string) => {
    const text = await readFile(infrastructure(name), 'utf8')
    const other = text
      .replaceAll(/\b((?:vpc|subnet|sg|rtb|rtbassoc|nat|eipalloc|igw|dopt)-)[0-9a-f]{6}/g, '$1abcdef')
      .replaceAll('123456789012', '210987654321')
      .replaceAll(/198\.18\.\d+\.\d+/g, '203.0.113.7')
    return files.write(`${name}.json`, other)
  }

  test('it has the names in the status, in the account of the status', async () => {
    const [entry] = await entries([await elsewhere('unchanged')], { cluster })
    expect(entry?.assumed).toBe(true)
    expect(sentences(entry ? [entry] : [])).toEqual([])
    const changes = entry?.object.diff.filter(line => /^[+-]/.test(line)).join('\n') ?? ''
    expect(changes).not.toMatch(/vpc-|203\.0\.113|arn:/)
  })

  test('it is deleted completely, by those names', async () => {
    const path = await files.write('left.json', '')
    const event = await elsewhere('delete')
    const all = await entries([event], { cluster, follow: true, saveAwsState: path })
    expect(sentences(all)).toContainEqual(expect.stringMatching(/^ec2 DeleteVpc vpc-abcdef/))
    expect(all.at(-1)?.object.gone).toBe(true)
    expect(await readFile(path, 'utf8')).not.toContain('shoot--garden--one-zone"')
  })

  test('it needs no Cluster, because the status has the networks', async () => {
    const [entry] = await entries([infrastructure('unchanged')])
    expect(entry?.object.diff.join('\n')).not.toContain('100.96.0.0/11')
  })

  test('it is unknown if the spec has changed since', async () => {
    const event = await saved(infrastructure('unchanged'))
    const data = { ...event.data, metadata: { ...event.data.metadata, generation: 2 } }
    const path = await files.write('later.json', JSON.stringify({ ...event, generation: '2', data }))
    expect((await entries([path], { cluster }))[0]?.assumed).toBe(false)
  })
})

test('calls to a real AWS are shown in the same way', async () => {
  const aws = createAws()
  const { url, close } = await aws.listen()
  try {
    const [near] = await entries([infrastructure('create')], { cluster })
    const [far] = await entries([infrastructure('create')], { cluster, awsEndpoint: url })
    const actions = (entry: typeof near) =>
      entry?.aws.writes.map(({ sentence }) => sentence.split(' ').slice(0, 2).join(' ')).sort()
    expect(far?.outcome).toEqual(near?.outcome)
    expect(actions(far)).toEqual(actions(near))
  } finally {
    await close()
  }
})
