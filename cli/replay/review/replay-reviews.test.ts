import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import { create, replay, root, temporaryFiles } from '../testing/replay-run.ts'

const saved = (name: string) => join(root, 'test/reviews', `${name}.json`)
const example = join(root, 'examples/webhooks/shoot.yaml')
const read = async (name: string) => JSON.parse(await readFile(saved(name), 'utf8'))

let files: Awaited<ReturnType<typeof temporaryFiles>>
beforeAll(async () => {
  files = await temporaryFiles()
})
afterAll(() => files.remove())

interface Entry {
  readonly path: string
  readonly ok: boolean
  readonly assumed: boolean
  readonly outcome: { readonly allowed: boolean; readonly code: number; readonly message?: string }
  readonly patch: readonly { readonly op: string; readonly path: string; readonly value?: unknown }[]
  readonly object: { readonly diff: readonly string[] }
}
const entriesOf = async (paths: readonly string[], more = {}): Promise<readonly Entry[]> =>
  JSON.parse((await replay(paths, { output: 'json', ...more })).text)

test('a review is recognized by its kind, and the patch of its webhook is shown as a diff', async () => {
  const { ok, text } = await replay([saved('kube-controller-manager')])
  expect(ok).toBe(true)
  expect(text).toContain('webhook     controlplane.aws.extensions.gardener.cloud (aws/controlplane)')
  expect(text).toContain('outcome     allowed with changes')
  expect(text).toMatch(/^\+ +- --cloud-provider=external$/m)
  expect(text).toMatch(/^- +networking\.gardener\.cloud\/to-public-networks: allowed$/m)
  expect((await replay([saved('kube-controller-manager')])).text).toBe(text)
})

test('a refusal is shown with its code, and the command fails', async () => {
  const { ok, text } = await replay([saved('cloudprovider-denied')])
  expect(ok).toBe(false)
  expect(text).toContain(
    'outcome     denied (403): could not mutate cloudprovider secret as "accessKeyID" field is missing',
  )
})

test('JSON has the same content as the text', async () => {
  const [entry] = await entriesOf([saved('kube-controller-manager')])
  expect(entry).toMatchObject({
    path: 'aws/controlplane',
    ok: true,
    assumed: true,
    outcome: { allowed: true, code: 200 },
  })
  expect(entry?.patch.length).toBeGreaterThan(1)
  expect(entry?.object.diff.join('\n')).toContain('+            - --cloud-provider=external')
  expect((await entriesOf([saved('cloudprovider-denied')]))[0]).toMatchObject({
    ok: false,
    outcome: { allowed: false, code: 403 },
  })
})

test('webhooks look up objects in those of --cluster', async () => {
  const [made] = await entriesOf([saved('kube-controller-manager')])
  const family = (await readFile(example, 'utf8')).replace('[IPv4]', '[IPv6]')
  const [given] = await entriesOf([saved('kube-controller-manager')], {
    cluster: await files.write('objects.yaml', family),
  })
  expect({ made: made?.assumed, given: given?.assumed }).toEqual({ made: true, given: false })
  expect(made?.object.diff.join('\n')).toContain('--allocate-node-cidrs=true')
  expect(given?.object.diff.join('\n')).toContain('--allocate-node-cidrs=false')
})

describe('no secret value is printed', () => {
  test.each(['text', 'json'] as const)('as %s', async output => {
    const review = await read('cloudprovider')
    const { object } = review.request
    object.data.secretAccessKey = Buffer.from('SHORT').toString('base64')
    object.data.region = Buffer.from('kept-elsewhere').toString('base64')
    object.metadata.annotations = {
      'kubectl.kubernetes.io/last-applied-configuration': '{"stringData":{"secretAccessKey":"SHORT"}}',
      note: 'of AKIAIOSFODNN7EXAMPLE',
    }
    const path = await files.write('secret.json', JSON.stringify(review))
    const { text } = await replay([path], { output })
    expect(text).toContain('credentialsFile')
    for (const secret of ['SHORT', 'U0hPUlQ', 'AKIAIOSFODNN7EXAMPLE', object.data.accessKeyID])
      expect(text).not.toContain(secret)
  })
})

describe('a review that cannot be replayed', () => {
  const problemOf = async (change: (review: Awaited<ReturnType<typeof read>>) => void, more = {}) => {
    const review = await read('kube-controller-manager')
    change(review)
    const path = await files.write('review.json', JSON.stringify(review))
    const error = await replay([path], more).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UsageError)
    return String((error as Error).message).replace(path, 'review.json')
  }

  test('for an unknown webhook, the error suggests similar names', async () => {
    expect(await problemOf(() => {}, { function: 'aws/controlplan' })).toBe(
      'unknown webhook aws/controlplan. Did you mean aws/controlplane?',
    )
    expect(await problemOf(() => {}, { function: 'nothing-like-it' })).toMatch(
      /; known webhooks: .*aws\/seed-pvca/,
    )
  })

  test('for a resource without a webhook, the error suggests similar names', async () => {
    expect(
      await problemOf(({ request }) => {
        request.resource.resource = 'deploymnts'
      }),
    ).toBe('review.json: review 1: no webhook reviews deploymnts.apps. Did you mean deployments?')
  })

  test('if its labels exclude it, the error says so, and it is replayed with a named webhook', async () => {
    const unlabelled = (review: Awaited<ReturnType<typeof read>>) => {
      review.request.object.metadata.labels = {}
    }
    expect(await problemOf(unlabelled)).toMatch(
      /no webhook matches the labels; webhooks for deployments.apps: aws\/controlplane, [a-z/, -]+\. Choose one with --function/,
    )
    const review = await read('kube-controller-manager')
    unlabelled(review)
    const path = await files.write('unlabelled.json', JSON.stringify(review))
    expect((await entriesOf([path], { function: 'controlplane.aws.extensions.gardener.cloud' }))[0]?.ok).toBe(
      true,
    )
  })

  test('if it is broken, the error has the position, and quotes nothing', async () => {
    expect(
      await problemOf(({ request }) => {
        request.uid = 7
      }),
    ).toBe('review.json: review 1: the AdmissionReview has no request with a uid')
    expect(
      await problemOf(({ request }) => {
        request.resource = 'PLANTED'
      }),
    ).toBe('review.json: review 1: request.resource: expected group, version and resource')
  })

  test('together with events, it is refused', async () => {
    await expect(replay([saved('cloudprovider'), create])).rejects.toThrow(
      'reviews cannot be combined with events',
    )
  })
})
