import type {
  CreateSubnetCidrReservationRequest,
  CreateSubnetCidrReservationResult,
  DeleteSubnetCidrReservationRequest,
  DeleteSubnetCidrReservationResult,
  GetSubnetCidrReservationsRequest,
  GetSubnetCidrReservationsResult,
  SubnetCidrReservation,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import { contains, formatCidr, overlaps, parseCidr } from '../core/cidrs/cidr.ts'
import { rangesOf } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import { conditionsOf, type FilterFields, fulfils } from '../core/describe/filter.ts'
import { find } from '../core/describe/find.ts'
import { seen } from '../core/describe/list.ts'
import { pageOf } from '../core/describe/page.ts'
import { invalidParameter } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { operation } from '../core/requests/operation.ts'
import type { SubnetReservation } from '../rows/network.ts'
import { newTags, tagsOut } from '../tags/tag-rules.ts'

const view = (ec2: Ec2, row: SubnetReservation): SubnetCidrReservation => ({
  SubnetCidrReservationId: row.id,
  SubnetId: row.subnetId,
  Cidr: row.cidr,
  ReservationType: row.type,
  OwnerId: ec2.accountId,
  Description: row.description,
  Tags: tagsOut(row.tags),
})

const fields: FilterFields<SubnetReservation> = {
  reservationType: row => row.type,
  'subnet-id': row => row.subnetId,
}

export const subnetReservationOperations = {
  CreateSubnetCidrReservation: operation<
    CreateSubnetCidrReservationRequest,
    CreateSubnetCidrReservationResult
  >(
    { SubnetId: true, Cidr: true, ReservationType: true, Description: true, TagSpecifications: acceptsTags },
    (input, ec2) => {
      const subnet = find(ec2, 'subnets', input.SubnetId)
      const range = parseCidr(input.Cidr)
      if (!range) throw invalidParameter('cidr', input.Cidr, 'This is not a valid CIDR block.')
      const type = input.ReservationType
      if (type !== 'prefix' && type !== 'explicit') {
        throw invalidParameter('reservationType', type, 'It must be prefix or explicit.')
      }
      const own = [parseCidr(subnet.cidr) ?? [], rangesOf(ec2, subnet.ipv6Blocks)].flat()
      if (!own.some(block => contains(block, range))) {
        throw refuse(
          'InvalidSubnetCidrReservation.OutOfRange',
          `The CIDR ${input.Cidr} is not within the CIDR blocks of subnet ${subnet.id}.`,
        )
      }
      const others = ec2.tables.subnetReservations.by('subnet-id', subnet.id)
      if (others.some(({ cidr }) => overlaps(parseCidr(cidr) ?? range, range))) {
        throw refuse(
          'InvalidSubnetCidrReservation.Overlap',
          `The CIDR ${input.Cidr} conflicts with another reservation of subnet ${subnet.id}.`,
        )
      }
      const tags = newTags(input.TagSpecifications, 'subnet-cidr-reservation')
      const row: SubnetReservation = {
        ...ec2.newResource('scr', tags),
        subnetId: subnet.id,
        cidr: formatCidr(range),
        type,
        description: input.Description,
      }
      ec2.tables.subnetReservations.put(row)
      return { SubnetCidrReservation: view(ec2, row) }
    },
  ),
  GetSubnetCidrReservations: operation<GetSubnetCidrReservationsRequest, GetSubnetCidrReservationsResult>(
    { SubnetId: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const subnet = find(ec2, 'subnets', input.SubnetId)
      const conditions = conditionsOf(input.Filters, fields)
      const rows = seen(ec2, 'subnetReservations', ec2.tables.subnetReservations.by('subnet-id', subnet.id))
        .filter(({ subnetId }) => subnetId === subnet.id)
        .filter(row => fulfils(row, conditions, fields))
      const { items, next } = pageOf(rows, row => row.sequence, input)
      const ofFamily = (family: number) =>
        items.filter(({ cidr }) => parseCidr(cidr)?.family === family).map(row => view(ec2, row))
      return {
        SubnetIpv4CidrReservations: ofFamily(4),
        SubnetIpv6CidrReservations: ofFamily(6),
        NextToken: next,
      }
    },
  ),
  DeleteSubnetCidrReservation: operation<
    DeleteSubnetCidrReservationRequest,
    DeleteSubnetCidrReservationResult
  >({ SubnetCidrReservationId: true }, (input, ec2) => {
    const row = find(ec2, 'subnetReservations', input.SubnetCidrReservationId)
    ec2.tables.subnetReservations.remove(row.id)
    return { DeletedSubnetCidrReservation: view(ec2, row) }
  }),
}
