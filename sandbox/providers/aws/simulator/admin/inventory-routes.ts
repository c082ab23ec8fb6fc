import * as z from 'zod'
import type { Aws } from '../aws-interface.ts'
import { addImage, failIpv6Blocks, failNatGateways } from '../ec2/inventory.ts'
import { addHostedZone, hostedZones } from '../route53/inventory.ts'
import { isProblem, parseName } from '../route53/name.ts'
import { type AdminRoute, BadOrder, json, readOrder } from './route.ts'

const account = z
  .string()
  .regex(/^\d{12}$/, 'expected 12 digits')
  .optional()
const region = z.string().regex(/^[a-z]{2}(?:-[a-z]+)+-\d$/, 'expected a region, like eu-west-1')

const zoneOrder = z.strictObject({
  account,
  name: z.string().min(1),
  id: z.string().regex(/^Z[0-9A-Z]{1,31}$/, 'expected Z and up to 31 digits and upper-case letters'),
})

const imageOrder = z.strictObject({
  account,
  region,
  id: z.string().regex(/^ami-(?:[0-9a-f]{8}|[0-9a-f]{17})$/, 'expected ami- and 8 or 17 hex digits'),
  name: z.string().min(1),
  architecture: z.enum(['x86_64', 'arm64']),
  description: z.string().optional(),
  ownerId: account,
  isPublic: z.boolean().optional(),
  rootDeviceName: z.string().min(1).optional(),
  rootSize: z.int().min(1).optional(),
})

const natGatewayOrder = z.strictObject({
  account,
  region,
  failures: z
    .array(z.strictObject({ code: z.string().min(1), message: z.string().default('Failed on order.') }))
    .min(1),
})

const ipv6Order = z.strictObject({
  account,
  region,
  failures: z
    .array(z.strictObject({ of: z.enum(['vpc', 'subnet']), message: z.string().default('Failed on order.') }))
    .min(1),
})

const keyOrder = z.strictObject({
  account,
  accessKeyId: z.string().min(1),
  secretAccessKey: z.string().min(1),
  user: z.string().min(1).optional(),
  allow: z.array(z.string().min(1)).optional(),
})

type WithoutUndefined<Value> = { [Name in keyof Value]: Exclude<Value[Name], undefined> }

/** Removes members that were not given. */
const given = <Value extends object>(value: Value): WithoutUndefined<Value> =>
  Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as WithoutUndefined<Value>

/** The routes that add to an account without a call. */
export const inventoryRoutes = (aws: Aws): Readonly<Record<string, AdminRoute>> => ({
  'POST /_trellis/hosted-zones': request => {
    const { account: id, ...zone } = readOrder(zoneOrder, request)
    const name = parseName(zone.name)
    if (isProblem(name)) throw new BadOrder(`name: ${name.reason}`)
    const owner = aws
      .accounts()
      .find(known => hostedZones(aws.account(known)).some(one => one.id === zone.id))
    if (owner !== undefined) throw new BadOrder(`id: account ${owner} has a zone ${zone.id}`)
    addHostedZone(aws.account(id), zone)
    return json(201, zone)
  },
  'POST /_trellis/images': request => {
    const { account: id, region: where, ...image } = readOrder(imageOrder, request)
    addImage(aws.account(id), where, given(image))
    return json(201, image)
  },
  'POST /_trellis/nat-gateway-failures': request => {
    const { account: id, region: where, failures } = readOrder(natGatewayOrder, request)
    failNatGateways(aws.account(id), where, failures)
    return json(201, { failures })
  },
  'POST /_trellis/ipv6-block-failures': request => {
    const { account: id, region: where, failures } = readOrder(ipv6Order, request)
    failIpv6Blocks(aws.account(id), where, failures)
    return json(201, { failures })
  },
  'POST /_trellis/keys': request => {
    const { account: id, ...key } = readOrder(keyOrder, request)
    aws.account(id).register(given(key))
    return json(201, { accessKeyId: key.accessKeyId, account: aws.account(id).id })
  },
})
