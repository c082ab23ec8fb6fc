import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { addBucket, bucketNames, createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { temporaryFiles } from '../replay/testing/replay-run.ts'
import { type PlanOptions, planObjects } from './plan-object.ts'
import { readObjects } from './read-objects.ts'

const example = (name: string) =>
  fileURLToPath(new URL(`../../examples/backup/${name}.yaml`, import.meta.url))
const name = '9f6d1c3e-backups-of-seed'
const entry = 'shoot--garden--lily--2d3e5b74-8c5f-4c2d-af77-4f3f6f5f8d31'

const providers = await findProviders()
let files: Awaited<ReturnType<typeof temporaryFiles>>
beforeAll(async () => {
  files = await temporaryFiles()
})
afterAll(() => files.remove())

const setUp = () => {
  const aws = createAws()
  const plan = async (what: readonly string[], options: Partial<PlanOptions> = {}) => {
    let text = ''
    const differs = await planObjects(
      what,
      { output: 'text', ...options },
      {
        stdin: Readable.from([]),
        write: more => {
          text += more
        },
        providers,
        connection: { requestHandler: aws.requestHandler },
      },
    )
    return { text, differs }
  }
  return { aws, plan }
}

describe('a plan of a BackupBucket', () => {
  test('it lists each write of a new one, and makes none', async () => {
    const { aws, plan } = setUp()
    const { text, differs } = await plan([example('immutable-bucket')])
    expect(differs).toBe(true)
    expect(text).toContain('Reconciling BackupBucket 2b7e4a90-locked-backups\n')
    expect(text).toContain('+ create bucket 2b7e4a90-locked-backups in eu-west-1 with object lock')
    expect(text).toContain('~ lock new objects of bucket 2b7e4a90-locked-backups for 4 days')
    expect(text.trimEnd().split('\n').at(-1)).toBe('Plan: 1 to create, 5 to change, 0 to delete')
    expect(bucketNames(aws.account())).toEqual([])
  })

  test('for a deletion, it lists the bucket, or says that none exists', async () => {
    const { aws, plan } = setUp()
    expect(await plan([example('bucket')], { delete: true })).toMatchObject({ differs: false })
    addBucket(aws.account(), { name, region: 'eu-west-1' }, systemClock)
    const { text } = await plan([example('bucket')], { delete: true })
    expect(text).toContain(`Deleting BackupBucket ${name}\n\n- delete bucket ${name}\n`)
    expect(bucketNames(aws.account())).toEqual([name])
  })

  test('it is available as data for programs', async () => {
    const { text } = await setUp().plan([example('bucket')], { output: 'json' })
    expect(JSON.parse(text)).toMatchObject({
      object: { kind: 'BackupBucket', name },
      destroying: false,
      actions: [{ kind: 'create' }, ...Array.from({ length: 4 }, () => ({ kind: 'update' }))],
    })
  })
})

test('a plan of a BackupEntry is empty until the entry is deleted', async () => {
  const { aws, plan } = setUp()
  addBucket(aws.account(), { name, region: 'eu-west-1' }, systemClock)
  expect(await plan([example('entry')])).toEqual({
    differs: false,
    text: `Reconciling BackupEntry ${entry}\n\nNothing to do.\n`,
  })
  expect((await plan([example('entry')], { delete: true })).text).toContain(`Deleting BackupEntry ${entry}`)
  expect(aws.calls.all().map(({ action }) => action)).toEqual(['ListObjectVersions'])
})

test('an object without a namespace is named by its kind and name in a live cluster', async () => {
  const { plan } = setUp()
  const objects = [
    ...(await readObjects(example('before-buckets'), Readable.from([]))),
    ...(await readObjects(example('bucket'), Readable.from([]))),
  ]
  const server = createApiServer({ clock: systemClock, objects: [...allCrds(), ...objects] })
  const listening = await server.listen()
  try {
    const kubeconfig = await files.write('kubeconfig', '')
    await writeFile(kubeconfig, server.kubeconfig(listening.url))
    expect((await plan([`backupbucket/${name}`], { kubeconfig })).text).toContain(`+ create bucket ${name}`)
    expect((await plan([`bb/${name}`], { kubeconfig })).text).toContain(`+ create bucket ${name}`)
    for (const [text, says] of [
      [`backupbucket/garden/${name}`, 'KIND/NAME of a kind without namespaces'],
      ['backupbucket/other', 'BackupBucket other does not exist'],
      ['lease/garden/other', ', not lease'],
    ] as const) {
      await expect(plan([text], { kubeconfig })).rejects.toThrow(says)
    }
  } finally {
    await listening.close()
    server.close()
  }
})
