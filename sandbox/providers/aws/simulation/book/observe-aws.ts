import {
  generatedName,
  type Invariants,
  type ObjectName,
  objectName,
} from '../../../../simulation/invariants/invariants.ts'
import { type CloudObserver, runningCode } from '../../../../simulation/simulation.ts'
import { type Aws, isRead } from '../../simulator/aws.ts'
import type { AwsRow } from '../aws-contents.ts'
import { type Book, type BookedRow, controllersOf, ownerOfControllers } from './book.ts'
import { type CheckedCall, checkCall, ownerOfRecord } from './check-call.ts'

import { checkRest, watchReplacements } from './check-rest.ts'
import { isProtected, isReplaced } from './parts.ts'

/** Tables whose rows exist independently of what contains them. A key pair is the shoot's by its name. */
const outlives =
  / (?:addresses|vpcs|subnets|subnetReservations|natGateways|routeTables|securityGroups|internetGateways|vpcEndpoints|instances|roles|profiles|buckets|fileSystems|record)$/

/** A role tag of a subnet that another cluster uses, too: by this tag, it finds the subnet for its load balancers. */
const isNeededRole = (part: BookedRow, { value: { tags } }: AwsRow): boolean =>
  / tag kubernetes\.io\/role\//.test(String(part.value.id)) &&
  [tags ?? []].flat().some(tag => /^kubernetes\.io\/cluster\/.*-sharing$/.test(String(Object(tag).Key)))

/** Parts of others that may lead to a resource of an object, such as a route. */
const refers = / (?:routeTables|securityGroups|vpcEndpoints)$/

/** Calls that only add a part to a resource. */
const adds = /^(?:AuthorizeSecurityGroup\w+|CreateRoute|CreateTags|ModifyVpcEndpoint)$/

/** With an IPv6 block, AWS itself adds a rule to the groups of a VPC (`addIpv6Egress`). */
const isOfAws = (action: string, { place }: AwsRow): boolean =>
  action === 'AssociateVpcCidrBlock' && place.endsWith(' securityGroups rule')

/** The longest time between the read of a list and its replacement, in ms. */
const replacementMs = 60_000

/** Enters each call in the book, and checks the calls of steps. */
export const observeAws = (aws: Aws, book: Book, invariants: Invariants, lagMs: number): CloudObserver => {
  /** Returns true if a step has removed a part that its object has not added from a resource that still exists. */
  const isLostPart = (part: BookedRow, name: ObjectName): boolean => {
    const whole = book.wholeOf(part)
    if (whole?.owner === 'others' && isNeededRole(part, whole)) return true
    if (whole === undefined || part.owner === name || /^(?:unknown|controllers of .*)$/.test(part.owner))
      return false
    if (isReplaced(part) && aws.clock.now() - book.since(part) < lagMs + replacementMs) return false
    const isOwn = whole.owner === name
    // A deletion empties what it deletes.
    return !(isOwn && invariants.objects.get(name)?.isDeleting) && isProtected(part, whole, isOwn)
  }
  const ownerOfGroup = ({ value: { id } }: AwsRow) =>
    book.named(/\bsg-[0-9a-f]{17}\b/.exec(String(id))?.[0] ?? '')?.owner
  const replacements = watchReplacements(invariants, book)
  const opened = new Set<string>()
  const observe = (call: CheckedCall): void => {
    const step = runningCode.getStore()?.step
    const controllers = controllersOf.getStore()
    if (step !== undefined) checkCall(invariants, book, step, call)
    // The first call of a region creates what every account has.
    const place = `${call.accountId} ${call.service} ${call.region}`
    if (isRead(call) && opened.has(place)) return
    opened.add(place)
    if (step === undefined && !adds.test(call.action))
      for (const id of JSON.stringify(call.input).match(generatedName) ?? []) replacements.touch(id)
    const owner = controllers === undefined ? 'others' : ownerOfControllers(controllers)
    if (step === undefined || isRead(call))
      return void book.enter(row => (isOfAws(call.action, row) && ownerOfGroup(row)) || owner)
    const name = objectName(step)
    // Records of several objects share a call.
    const gone = book.enter(({ value }) => ownerOfRecord(invariants.objects, value, call.accessKeyId) ?? name)
    for (const row of gone) {
      const { place, owner: of, value } = row
      const isLost = row.of === undefined ? of === 'others' && outlives.test(place) : isLostPart(row, name)
      const user = row.of === undefined ? book.naming(value.id, refers) : undefined
      // A deletion takes everything with it.
      if (user !== undefined && !invariants.objects.get(name)?.isDeleting)
        invariants.problems.add(
          'nothing of others is touched',
          `${call.service} ${call.action} of ${name} removed ${value.id}, to which ${user.value.id} of others leads`,
        )
      if (isLost)
        invariants.problems.add(
          'nothing of others is touched',
          `${call.service} ${call.action} of ${name} removed ${place} ${value.id ?? value.arn ?? value.name} of ${of}`,
        )
    }
  }
  const observed = new WeakSet<object>()
  aws.calls.onEffect(call => {
    observed.add(call.input)
    observe(call)
  })
  // Without an effect.
  aws.calls.onCall(call => {
    if (!observed.has(call.input)) observe(call)
  })
  return { checkRest: () => checkRest(invariants, book) }
}
