import { ChangeResourceRecordSetsCommand, Route53Client } from '@aws-sdk/client-route-53'
import { addHostedZone, operatorCredentials } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { type History, mustHold } from './history.ts'
import { change, leaksNothing, of, record, recordHistory, recordsOf } from './record-history.ts'

const balancer = 'a1b2c3-123.eu-west-1.elb.amazonaws.com'

/** Others change record sets, and zones change, while a step works. */
export const recordRaceHistories: readonly History[] = [
  recordHistory('a deletion of two aliases survives the deletion of one by others', async life => {
    const alias = record(
      { recordType: 'CNAME', values: [balancer] },
      { annotations: { 'dns.gardener.cloud/ip-stack': 'dual-stack' } },
    )
    await life.apply(alias)
    mustHold(recordsOf(life).length === 2, `expected two aliases, found ${recordsOf(life).join()}`)
    const person = new Route53Client({
      region: 'us-east-1',
      credentials: operatorCredentials,
      requestHandler: life.world.cloud.aws.requestHandler,
    })
    const set = {
      Name: String(alias.spec.name),
      Type: 'AAAA' as const,
      AliasTarget: { DNSName: balancer, HostedZoneId: 'Z32O12XQLNTSW2', EvaluateTargetHealth: true },
    }
    const HostedZoneId = 'Z0SANDBOXEXAMPLECOM'
    const ChangeBatch = { Changes: [{ Action: 'DELETE' as const, ResourceRecordSet: set }] }
    life.fault({
      of,
      about: change,
      fate: { kind: 'pass', beforeMs: 2_000 },
      meet: () => void person.send(new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch })),
    })
    await life.drop(alias)
    await life.untilGone(alias)
    leaksNothing(life)
  }),
  recordHistory(
    'a zone that was left after a crash has no record',
    async life => {
      const { aws } = life.world.cloud
      addHostedZone(aws.account(), { name: 'rose.example.com', id: 'ZROSE' })
      await life.apply(record({ zone: 'Z0SANDBOXEXAMPLECOM' }))
      life.fault({ of, about: /^POST route53.*ZROSE/, fate: { kind: 'crash', when: 'after' } })
      await life.request(record({ zone: 'ZROSE' }))
      await life.until('the crash', () => recordsOf(life).length > 1)
      await life.apply(record({ zone: 'Z0SANDBOXEXAMPLECOM' }))
      mustHold(recordsOf(life).length === 1, `the record is leaked: ${recordsOf(life).join(', ')}`)
    },
    'intermediate',
  ),
]
