import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { startAccount } from '../../functions/aws/bastion/testing/account.ts'
import { bastionOf, clusterOf, namespace } from '../../functions/aws/bastion/testing/objects.ts'
import { stepsOver } from '../../functions/aws/bastion/testing/steps.ts'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { planObjects } from './plan-object.ts'

const providers = await findProviders()
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'cloudprovider', namespace },
  data: { accessKeyID: btoa('AKIAPLANTED000000000'), secretAccessKey: btoa('planted') },
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-plan-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** An account with the network of a shoot, and the plan of a bastion in it. */
const setUp = async () => {
  const account = startAccount()
  const network = await account.makeNetwork()
  const plan = async (options: { readonly delete?: boolean; readonly output?: 'json' } = {}) => {
    const path = join(folder, `${Math.random()}.yaml`)
    await writeFile(
      path,
      [clusterOf(), secret, bastionOf()].map(object => `---\n${stringify(object)}`).join(''),
    )
    account.aws.calls.clear()
    let text = ''
    const differs = await planObjects(
      [path],
      { output: 'text', ...options },
      {
        stdin: Readable.from([]),
        write: more => {
          text += more
        },
        providers,
        connection: { requestHandler: account.aws.requestHandler },
      },
    )
    expect(account.writes()).toEqual([])
    return { text, differs }
  }
  return { ...account, ...stepsOver(account.aws.requestHandler, account.clock), network, plan }
}

test('a plan of a bastion lists each changing call, and makes none', async () => {
  const { plan } = await setUp()
  const { text, differs } = await plan()
  expect(differs).toBe(true)
  const ids = /\b(vpc|sg|subnet)-[0-9a-f]{17}\b/g
  expect(
    text.replace(ids, '$1-…').replaceAll(/^ {4}after: .*\n/gm, ''),
  ).toBe(`Reconciling Bastion ${namespace}/cli-abc

+ create security group ${namespace}-cli-abc-bsg in vpc-…
~ add to ${namespace}-cli-abc-bsg: ingress tcp 22 203.0.113.7/32
~ add to ${namespace}-cli-abc-bsg: egress tcp 22 sg-…
~ remove from ${namespace}-cli-abc-bsg: egress all 0.0.0.0/0
~ add to ${namespace}-nodes: ingress tcp 22 (the new group)
+ start instance ${namespace}-cli-abc-bastion, a t3.small with ami-0aaaaaaaaaaaaaaa1, in subnet-…

Plan: 2 to create, 4 to change, 0 to delete
`)
})

test('a plan of an existing bastion is empty', async () => {
  const { plan, until } = await setUp()
  await until('reconcile')
  expect(await plan()).toEqual({
    text: `Reconciling Bastion ${namespace}/cli-abc\n\nNothing to do.\n`,
    differs: false,
  })
})

test('a plan of a deletion lists everything that is deleted, what has to wait, and what is retained', async () => {
  const { plan, until, makeGroup, makeInstance, network } = await setUp()
  await until('reconcile')
  const group = await makeGroup(network.vpcId, 'others', 'theirs')
  const theirs = await makeInstance(network.subnetId, group, `${namespace}-cli-abc-bastion`)
  const { text } = await plan({ delete: true })
  expect(text).toMatch(/^- terminate instance i-\w+$/m)
  expect(text).toMatch(/^- delete security group shoot--foo--bar-cli-abc-bsg \(sg-\w+\)$/m)
  expect(text).toContain(
    `orphaned: instance (${theirs}): it has neither the tag of the Bastion nor its security group`,
  )
})

test('a plan as JSON has its actions in order', async () => {
  const { plan } = await setUp()
  const { text } = await plan({ output: 'json' })
  expect(JSON.parse(text)).toMatchObject({
    object: { kind: 'Bastion', namespace, name: 'cli-abc' },
    destroying: false,
    actions: [{ kind: 'create', after: [] }, {}, {}, {}, {}, { kind: 'create' }],
  })
})
