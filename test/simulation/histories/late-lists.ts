import { createAwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { aliveRows } from './alive-rows.ts'
import { type AwsLife, beginShoot, infrastructureOf } from './aws-history.ts'
import { bastion } from './bastions.ts'
import { type History, history, mustHold } from './history.ts'
import { minute } from './life.ts'
import { infrastructure } from './networks.ts'
import { servicesOf } from './services-of.ts'

const of = /aws-infrastructure/

/** The number of gateways that were ever created. EC2 lists deleted ones for a while. */
const gateways = (life: AwsLife): number =>
  Object.keys(Object(servicesOf(life.world.cloud))['ec2/eu-west-1']?.rows?.natGateways ?? {}).length

const groupsOf = (life: AwsLife): string => JSON.stringify(aliveRows(life.world.cloud, 'securityGroups'))

const late = (options: Parameters<typeof createAwsSide>[0]) =>
  createAwsSide(options, { lag: { seed: 'late', least: 60_000, most: 90_000 } })

/** Resources and rules that a step has written, and that no list shows yet. */
export const lateListHistories: readonly History[] = [
  history({
    name: 'aws-bastion: a range that no list shows yet is revoked',
    functions: ['aws-bastion'],
    kinds: ['Bastion'],
    points: 'stale',
    cloud: late,
    course: async life => {
      await beginShoot(life)
      await life.untilSucceeded(infrastructureOf(life))
      await life.apply(bastion(life))
      await life.sleep(10 * minute)
      await life.apply(bastion(life, { cidr: '203.0.113.0/24' }))
      await life.apply(bastion(life, { cidr: '192.0.2.0/24' }))
      await life.sleep(5 * minute)
      mustHold(!groupsOf(life).includes('203.0.113.0/24'), 'the range in between is still allowed')
    },
  }),
  history({
    name: 'aws-bastion: a range that a killed step has admitted is revoked',
    functions: ['aws-bastion'],
    kinds: ['Bastion'],
    points: 'intermediate',
    cloud: options => createAwsSide(options, { lag: { seed: 'late', least: 200_000, most: 240_000 } }),
    course: async life => {
      await beginShoot(life)
      await life.untilSucceeded(infrastructureOf(life))
      await life.apply(bastion(life))
      await life.sleep(10 * minute)
      life.fault({
        of: /aws-bastion/,
        about: /AuthorizeSecurityGroupIngress/,
        fate: { kind: 'crash', when: 'after' },
      })
      await life.request(bastion(life, { cidr: '203.0.113.0/24' }))
      await life.until('the range is admitted', () => groupsOf(life).includes('203.0.113.0/24'))
      await life.apply(bastion(life, { cidr: '192.0.2.0/24' }))
      await life.sleep(5 * minute)
      mustHold(!groupsOf(life).includes('203.0.113.0/24'), 'the range in between is still allowed')
    },
  }),
  history({
    name: 'aws-bastion: a group that EC2 creates and answers with an error is deleted',
    functions: ['aws-bastion'],
    kinds: ['Bastion'],
    points: 'intermediate',
    cloud: late,
    course: async life => {
      await beginShoot(life)
      await life.untilSucceeded(infrastructureOf(life))
      const call = { service: 'ec2', action: 'CreateSecurityGroup' } as const
      const effect = { kind: 'error', code: 'InternalError', status: 500 } as const
      const { faults } = life.world.cloud.aws
      faults.add({ ...call, when: 'after', effect })
      const end = faults.add({ ...call, nth: 2, times: null, effect })
      await life.request(bastion(life))
      await life.until('the group', () => groupsOf(life).includes('lookout'))
      await life.drop(bastion(life))
      await life.untilGone(bastion(life))
      end()
      mustHold(!groupsOf(life).includes('lookout'), 'the group is leaked')
    },
  }),
  history({
    name: 'aws-infrastructure: late lists and lost answers double nothing',
    functions: ['aws-infrastructure'],
    kinds: ['Infrastructure'],
    points: 'stale',
    cloud: options => createAwsSide(options, { lag: { seed: 'late', least: 200_000, most: 240_000 } }),
    course: async life => {
      const { aws } = life.world.cloud
      const made: string[] = []
      aws.calls.onCall(({ action, outcome }) => {
        if (outcome === 'success' && /^(?:CreateVpc|AllocateAddress)$/.test(action)) made.push(action)
      })
      life.fault({ of, about: /CreateVpc/, fate: { kind: 'silence', acted: true } })
      life.fault({ of, about: /AllocateAddress/, fate: { kind: 'silence', acted: true } })
      life.fault({ of, about: /CreateNatGateway/, fate: { kind: 'crash', when: 'after' } })
      await beginShoot(life)
      await life.untilSucceeded(infrastructure(life))
      mustHold(made.toSorted().join() === 'AllocateAddress,CreateVpc', `created ${made.toSorted().join()}`)
      mustHold(gateways(life) === 1, `created ${gateways(life)} NAT gateways`)
    },
  }),
]
