import { expect, test } from 'vitest'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { codesOf } from '../../../shared/contract/classify.ts'
import { consistentAfterMs } from '../../../terraform-free-infra/aws/account/consistent-after.ts'
import { accountContents, withoutIds } from './testing/account-contents.ts'
import type { ObjectParts } from './testing/objects.ts'
import { stepsOver } from './testing/steps.ts'

/** A shoot with each kind of resource that names another. */
const parts: ObjectParts = {
  networks: { vpc: { cidr: '10.250.0.0/16', gatewayEndpoints: ['s3'] } },
  rest: { elasticFileSystem: { enabled: true } },
}

const setUp = () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, ec2: { durations: { scale: 1 } } })
  const seed = stepsOver(aws.requestHandler, clock, parts)
  /** Runs steps until they are done. Returns the codes of the errors meanwhile. */
  const endure = async (mostMs: number): Promise<readonly string[] | undefined> => {
    const codes: string[] = []
    const start = clock.now()
    for (let count = 0; clock.now() - start < mostMs; count++) {
      try {
        const result = await seed.step('reconcile', {}, { resumed: count > 0 })
        if (result.kind === 'done') return codes
        await clock.advance(result.afterMs)
      } catch (error) {
        codes.push(...codesOf(error))
        await clock.advance(5_000)
      }
    }
    return codes
  }
  const contents = async () => withoutIds(await accountContents(aws.requestHandler))
  return { aws, clock, endure, contents, ...seed }
}

/** Refusals of writes that name another resource, or the written one, which is new. */
const refusals = {
  CreateSubnet: ['InvalidVpcID.NotFound'],
  CreateSecurityGroup: ['InvalidVpcID.NotFound'],
  CreateRouteTable: ['InvalidVpcID.NotFound'],
  AttachInternetGateway: ['InvalidInternetGatewayID.NotFound', 'InvalidVpcID.NotFound'],
  AssociateDhcpOptions: ['InvalidDhcpOptionID.NotFound', 'InvalidVpcID.NotFound'],
  ModifyVpcAttribute: ['InvalidVpcID.NotFound'],
  CreateRoute: ['InvalidRouteTableID.NotFound', 'InvalidGatewayID.NotFound', 'InvalidNatGatewayID.NotFound'],
  AssociateRouteTable: ['InvalidRouteTableID.NotFound', 'InvalidSubnetID.NotFound'],
  CreateNatGateway: ['InvalidSubnetID.NotFound', 'InvalidAllocationID.NotFound'],
  AuthorizeSecurityGroupIngress: ['InvalidGroup.NotFound'],
  CreateVpcEndpoint: ['InvalidVpcId.NotFound', 'InvalidRouteTableId.NotFound'],
  CreateMountTarget: ['SubnetNotFound', 'SecurityGroupNotFound', 'FileSystemNotFound'],
  PutRolePolicy: ['NoSuchEntity'],
  AddRoleToInstanceProfile: ['NoSuchEntity'],
}

const refuse = (
  { aws }: ReturnType<typeof setUp>,
  action: string,
  codes: readonly string[],
  times: number | null,
) => {
  for (const code of codes)
    aws.faults.add({
      action,
      times,
      effect: { kind: 'error', code, message: 'It does not exist.', status: 400 },
    })
}

const whole = setUp()
const wholeContents = whole.endure(consistentAfterMs).then(() => whole.contents())

test('writes that do not find a new resource yet do not stop a new shoot', async () => {
  const seed = setUp()
  for (const [action, codes] of Object.entries(refusals)) refuse(seed, action, codes, 2)
  expect(await seed.endure(consistentAfterMs)).toEqual([])
  expect(await seed.contents()).toEqual(await wholeContents)
})

test.each(['CreateMountTarget', 'CreateRoute'] as const)(
  '%s that does not find a new resource for a whole step does not stop a new shoot',
  async action => {
    const seed = setUp()
    refuse(seed, action, refusals[action], 40)
    expect(await seed.endure(consistentAfterMs)).toEqual([])
    expect(await seed.contents()).toEqual(await wholeContents)
  },
)

test('a write that does not find a resource has a code once AWS must show it', async () => {
  const seed = setUp()
  refuse(seed, 'CreateMountTarget', ['SubnetNotFound'], null)
  expect(await seed.endure(consistentAfterMs)).toEqual([])
  expect(await seed.endure(consistentAfterMs)).toContain('ERR_CONFIGURATION_PROBLEM')
})
