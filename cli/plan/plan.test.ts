import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { stringify } from 'yaml'
import { clusterOf, namespace } from '../../functions/aws/infrastructure/testing/objects.ts'
import { stepsOver } from '../../functions/aws/infrastructure/testing/steps.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock, virtualClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { PlanJson } from '../../terraform-free-infra/engine/engine.ts'
import { type PlanOptions, planObjects } from './plan-object.ts'

const secretAccessKey = 'planted/secret+access-key=of-plan'
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'cloudprovider', namespace },
  data: { accessKeyID: btoa('AKIAPLANTED000000000'), secretAccessKey: btoa(secretAccessKey) },
}
const cluster = clusterOf()
const shootNamespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }

const providers = await findProviders()

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-plan-'))
})
afterAll(() => rm(folder, { recursive: true }))

const fileOf = async (...objects: readonly object[]): Promise<string> => {
  const path = join(folder, `${Math.random()}.yaml`)
  await writeFile(path, objects.map(object => `---\n${stringify(object)}`).join(''))
  return path
}

/** An account, and an Infrastructure in it that is not yet created. */
const setUp = () => {
  const clock = virtualClock(Date.now())
  const aws = createAws({ clock })
  const steps = stepsOver(aws.requestHandler, clock)
  const plan = async (what: string, options: Partial<PlanOptions> = {}) => {
    aws.calls.clear()
    let text = ''
    const differs = await planObjects(
      [what],
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
  const isRead = (action: string) => /^(?:Describe|Get|List)/.test(action)
  const writes = () => aws.calls.all().filter(({ action }) => !isRead(action))
  return { aws, steps, plan, writes }
}

describe('a plan', () => {
  test('it lists everything for a new infrastructure, and creates nothing', async () => {
    const { steps, plan, writes, aws } = setUp()
    const { text, differs } = await plan(await fileOf(cluster, secret, steps.object()))
    expect(differs).toBe(true)
    expect(text).toContain(`Reconciling Infrastructure ${namespace}/bar`)
    for (const line of ['+ create VPC', `+ create IAM role ${namespace}-nodes`, 'NAT gateway'])
      expect(text).toContain(line)
    expect(aws.calls.all().length).toBeGreaterThan(0)
    expect(writes()).toEqual([])
  })

  test('its last line has the counts, in colours if requested', async () => {
    const { steps, aws } = setUp()
    const file = await fileOf(cluster, secret, steps.object())
    let text = ''
    await planObjects(
      [file],
      { output: 'text' },
      {
        stdin: Readable.from([]),
        write: more => {
          text += more
        },
        paint: (part, line) => `<${part}>${line}</${part}>`,
        providers,
        connection: { requestHandler: aws.requestHandler },
      },
    )
    expect(text).toContain('<create>+ create VPC</create>')
    expect(text).toContain('<detail>    after: create VPC</detail>')
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^Plan: \d+ to create, 1 to change, 0 to delete$/)
  })

  test('it has no endless lines: the text before an action is folded', async () => {
    const { steps, plan } = setUp()
    const { text } = await plan(await fileOf(cluster, secret, steps.object()))
    const lines = text.split('\n')
    expect(lines.filter(line => /^ {4}after: /.test(line) && line.length > 110)).toEqual([])
    // Further names follow below the first one, and none is cut.
    const at = lines.findIndex(line => /^ {11}create /.test(line))
    expect(lines[at - 1]).toMatch(/,$/)
    expect(text.replaceAll(/,\n {11}/g, ', ')).toMatch(/ {4}after: .{200,}/)
  })

  test('it shows defaults and derived values, as AWS has them afterwards', async () => {
    const { steps, plan } = setUp()
    const file = await fileOf(cluster, secret, steps.object())
    const { text } = await plan(file, { output: 'json' })
    const shown = (JSON.parse(text) as PlanJson).actions.flatMap(({ sentence, changes }) =>
      changes
        .filter(({ attribute }) => /^(?:in|e)gress |^role$/.test(attribute))
        .map(({ attribute, after }) => `${sentence.replace('create ', '')}: ${attribute} ${after}`),
    )
    expect(shown).toContain(`IAM instance profile ${namespace}-nodes: role ${namespace}-nodes`)
    expect(shown.filter(line => line.includes('30000-32767 10.'))).not.toEqual([])
    await steps.until('reconcile')
    // It then equals the shown plan: the same desired state, with every value known.
    expect((await plan(await fileOf(cluster, secret, steps.object()))).text).toContain('Nothing to do.')
  })

  test('it is empty once the function has applied it, and full again for a deletion', async () => {
    const { steps, plan, writes } = setUp()
    await steps.until('reconcile')
    const file = await fileOf(cluster, secret, steps.object())
    expect(await plan(file)).toMatchObject({
      differs: false,
      text: expect.stringContaining('Nothing to do.'),
    })
    const deletion = await plan(file, { delete: true })
    expect(deletion.text).toContain(`Deleting Infrastructure ${namespace}/bar`)
    expect(deletion.text).toContain('- delete VPC')
    expect(deletion.text).not.toContain('+ ')
    expect(writes()).toEqual([])
  })

  test('for a deletion, it finds resources of a lost state, and is empty if nothing was created', async () => {
    const { steps, plan, writes } = setUp()
    const { status: _, ...fresh } = steps.object()
    const file = () => fileOf(cluster, secret, fresh)
    expect(await plan(await file(), { delete: true })).toMatchObject({
      text: expect.stringContaining('Nothing to do.'),
      differs: false,
    })
    await steps.until('reconcile')
    writes()
    expect((await plan(await file(), { delete: true })).text).toContain('- delete VPC')
    expect(writes()).toEqual([])
  })

  test('it plans a deletion if the object has a deletion timestamp', async () => {
    const { steps, plan } = setUp()
    await steps.until('reconcile')
    const object = steps.object()
    const metadata = {
      ...object.metadata,
      deletionTimestamp: '2026-11-21T00:00:00Z',
      finalizers: ['extensions.gardener.cloud/infrastructure'],
    }
    expect((await plan(await fileOf(cluster, secret, { ...object, metadata }))).text).toContain('Deleting')
  })

  test('it is available as data for programs', async () => {
    const { steps, plan } = setUp()
    const { text } = await plan(await fileOf(cluster, secret, steps.object()), { output: 'json' })
    expect(JSON.parse(text)).toMatchObject({
      object: { kind: 'Infrastructure', namespace, name: 'bar' },
      destroying: false,
      actions: expect.arrayContaining([expect.objectContaining({ kind: 'create' })]),
    })
  })

  test('with a kubeconfig, it is for the live object', async () => {
    const { steps, plan } = setUp()
    const server = createApiServer({
      clock: systemClock,
      objects: [...allCrds(), shootNamespace, cluster, secret, steps.object()] as readonly KubernetesObject[],
    })
    const listening = await server.listen()
    try {
      const kubeconfig = join(folder, 'kubeconfig')
      await writeFile(kubeconfig, server.kubeconfig(listening.url))
      expect((await plan(`${namespace}/bar`, { kubeconfig })).text).toContain('+ create VPC')
      await expect(plan(`${namespace}/other`, { kubeconfig })).rejects.toThrow(UsageError)
      await expect(plan('bar', { kubeconfig })).rejects.toThrow('expected NAMESPACE/NAME')
      // As status, trace and doctor do, without the flag.
      vi.stubEnv('KUBECONFIG', kubeconfig)
      expect((await plan(`${namespace}/bar`)).text).toContain('+ create VPC')
      await expect(plan(`${namespace}/bar.yaml`)).rejects.toThrow('ENOENT')
      await expect(plan(`${namespace}/bar`, { context: 'nowhere' })).rejects.toThrow('--context')
      expect(server.requests.entries().filter(({ verb }) => verb !== 'get')).toEqual([])
    } finally {
      vi.unstubAllEnvs()
      await listening.close()
      server.close()
    }
  })

  test('it fails for the same reason as the function, and shows no secrets', async () => {
    const { steps, plan, aws } = setUp()
    const { spec } = steps.object()
    const bad = { ...steps.object(), spec: { ...spec, region: 'mars' } }
    await expect(plan(await fileOf(cluster, secret, bad))).rejects.toThrow(
      /spec\.region.*\(ERR_CONFIGURATION_PROBLEM\)/s,
    )
    aws.faults.add({
      action: 'DescribeVpcs',
      effect: { kind: 'error', code: 'AuthFailure', status: 403, message: `no ${secretAccessKey}` },
    })
    const file = await fileOf(cluster, secret, steps.object())
    const error = await plan(file).catch((thrown: Error) => thrown)
    expect(String(error)).toContain('AuthFailure')
    expect(String(error)).toContain('ERR_INFRA_UNAUTHENTICATED')
    expect(String(error)).not.toContain(secretAccessKey)
  })
})

describe('invalid input is refused with one line', () => {
  const { steps } = setUp()
  const object = steps.object()
  test.each<[string, () => Promise<string>, string]>([
    ['no file', async () => '/nowhere.yaml', '/nowhere.yaml: cannot be read (ENOENT)'],
    ['no Infrastructure', () => fileOf(cluster, secret), 'found no Infrastructure'],
    ['several', () => fileOf(object, { ...object, metadata: { name: 'b', namespace } }), 'found 2 Infra'],
    ['no objects', () => fileOf({ a: 1 }), 'document 1: not a Kubernetes object'],
    [
      'another provider',
      () => fileOf({ ...object, spec: { ...object.spec, type: 'gcp' } }),
      'has type gcp; trellis plan supports aws',
    ],
    ['no Secret', () => fileOf(cluster, object), 'not found. Give the file with this object, too'],
    [
      'another shape',
      () => fileOf(cluster, secret, { ...object, spec: { ...object.spec, region: 7 } }),
      'spec.region',
    ],
  ])('%s', async (_, file, says) => {
    await expect(setUp().plan(await file())).rejects.toThrow(says)
  })

  test('invalid input is refused before the wait for AWS', async () => {
    const { steps } = setUp()
    const ready = vi.fn(() => Promise.reject(new Error('nothing listens')))
    const output = { providers, stdin: Readable.from([]), write: () => {}, ready }
    const options: PlanOptions = { output: 'text', endpoint: 'http://127.0.0.1:1' }
    await expect(planObjects([await fileOf(secret)], options, output)).rejects.toThrow('found no Infra')
    expect(ready).not.toHaveBeenCalled()
    const good = await fileOf(cluster, secret, steps.object())
    await expect(planObjects([good], options, output)).rejects.toThrow('nothing listens')
    expect(ready).toHaveBeenCalledExactlyOnceWith({ endpoint: options.endpoint })
  })

  test('an endpoint that is no URL is refused', async () => {
    await expect(setUp().plan('x.yaml', { endpoint: 'localhost' })).rejects.toThrow(
      '--endpoint: expected a URL',
    )
  })

  test('broken YAML is refused without quoting it', async () => {
    const path = join(folder, 'broken.yaml')
    await writeFile(path, `kind: Secret\ndata: {accessKey: "${secretAccessKey}`)
    const error = await setUp()
      .plan(path)
      .catch((thrown: Error) => thrown)
    expect(String(error)).toContain('document 1: not valid YAML')
    expect(String(error)).not.toContain(secretAccessKey)
  })
})
