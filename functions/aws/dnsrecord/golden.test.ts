import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import { expect, test } from 'vitest'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { recordedCalls, recordedObjectOf } from '../../../test/recorded/recorded.ts'
import { route53Account } from './testing/route53-account.ts'
import { recordOf, stepsOver } from './testing/steps.ts'

test.each(['a', 'cname-elb-alias'])(
  'the first change of %s is the one that the Go extension makes',
  async name => {
    const record = recordedObjectOf(`dnsrecord/${name}`) as DNSRecord
    const { create = [] } = recordedCalls(`dnsrecord/${name}`)
    const expected = create.find(call => call.action === 'route53:ChangeResourceRecordSets')?.body

    const aws = shuffledAws()
    const account = route53Account(aws)
    await account.createZone('example.com')
    const { reconcile } = stepsOver(aws.requestHandler)
    await reconcile(recordOf({ spec: record.spec }))

    const made = aws.calls.all().find(call => call.action === 'ChangeResourceRecordSets')
    expect(expected).toBeDefined()
    expect(made?.input.ChangeBatch).toEqual(changeBatchOf(parseXml(expected ?? '').root?.children[0]))
  },
)

/** The batch as the SDK takes it, of the XML of a request. */
const changeBatchOf = (batch: unknown): unknown => ({
  Changes: elementsOf(elementsOf(batch)[0]).map(change => jsonOf(change)),
})

const jsonOf = (element: XmlElement): unknown => {
  const children = elementsOf(element)
  if (element.name === 'ResourceRecords') return children.map(jsonOf)
  if (element.name === 'TTL') return Number(element.text)
  if (element.name === 'EvaluateTargetHealth') return element.text === 'true'
  return children.length === 0
    ? element.text
    : Object.fromEntries(children.map(child => [child.name, jsonOf(child)]))
}

const elementsOf = (node: unknown): XmlElement[] =>
  typeof node === 'object' && node !== null && 'children' in node && Array.isArray(node.children)
    ? node.children.filter(child => child.type === 'element')
    : []
