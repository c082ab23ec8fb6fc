import type {
  DescribeManagedPrefixListsRequest,
  DescribeManagedPrefixListsResult,
  DescribePrefixListsRequest,
  DescribePrefixListsResult,
  DescribeVpcEndpointServicesRequest,
  DescribeVpcEndpointServicesResult,
  ServiceDetail,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { conditionsOf, type FilterFields, fulfils } from '../core/describe/filter.ts'
import { pageOf } from '../core/describe/page.ts'
import { operation } from '../core/requests/operation.ts'
import type { Ec2Tag } from '../rows/resource.ts'
import { zonesOf } from '../zones/catalogue.ts'
import {
  type AwsPrefixList,
  type EndpointService,
  endpointServices,
  prefixLists,
} from './service-catalogue.ts'

const untagged: readonly Ec2Tag[] = []

type ServiceRow = EndpointService & { readonly tags: readonly Ec2Tag[] }
type ListRow = AwsPrefixList & { readonly tags: readonly Ec2Tag[] }

const serviceFields: FilterFields<ServiceRow> = {
  owner: () => 'amazon',
  'service-name': row => row.name,
  'service-type': row => row.types,
}

const detail = (ec2: Ec2, row: EndpointService): ServiceDetail => ({
  ServiceName: row.name,
  ServiceType: row.types.map(ServiceType => ({ ServiceType })),
  ServiceRegion: ec2.region,
  Owner: 'amazon',
  AvailabilityZones: zonesOf(ec2.region).map(({ name }) => name),
  AvailabilityZoneIds: zonesOf(ec2.region).map(({ id }) => id),
  AcceptanceRequired: false,
  VpcEndpointPolicySupported: true,
  ManagesVpcEndpoints: false,
  SupportedIpAddressTypes: ['ipv4', 'ipv6'],
  Tags: [],
})

const listFields = (ec2: Ec2): FilterFields<ListRow> => ({
  'owner-id': () => 'AWS',
  'prefix-list-id': row => row.id,
  'prefix-list-name': row => row.name,
  region: () => ec2.region,
})

const listsFor = (
  ec2: Ec2,
  ids: readonly string[] | undefined,
  filters: DescribePrefixListsRequest['Filters'],
): readonly ListRow[] => {
  const lists = prefixLists(ec2.region).map(list => ({ ...list, tags: untagged }))
  const missing = ids?.find(id => !lists.some(list => list.id === id))
  if (missing !== undefined) {
    throw refuse('InvalidPrefixListID.NotFound', `The prefix list ID '${missing}' does not exist`)
  }
  const conditions = conditionsOf(filters, listFields(ec2))
  return lists
    .filter(list => !ids?.length || ids.includes(list.id))
    .filter(list => fulfils(list, conditions, listFields(ec2)))
}

const order = (_: unknown, index: number): number => index

export const endpointServiceOperations = {
  DescribeVpcEndpointServices: operation<
    DescribeVpcEndpointServicesRequest,
    DescribeVpcEndpointServicesResult
  >({ ServiceNames: true, Filters: true, MaxResults: true, NextToken: true }, (input, ec2) => {
    const services = endpointServices(ec2.region).map(row => ({ ...row, tags: untagged }))
    const missing = input.ServiceNames?.find(name => !services.some(row => row.name === name))
    if (missing !== undefined) {
      throw refuse('InvalidServiceName', `The Vpc Endpoint Service '${missing}' does not exist`)
    }
    const conditions = conditionsOf(input.Filters, serviceFields)
    const found = services
      .filter(({ name }) => !input.ServiceNames?.length || input.ServiceNames.includes(name))
      .filter(row => fulfils(row, conditions, serviceFields))
    const { items, next } = pageOf(found, order, input)
    return {
      ServiceNames: items.map(({ name }) => name),
      ServiceDetails: items.map(row => detail(ec2, row)),
      NextToken: next,
    }
  }),
  DescribePrefixLists: operation<DescribePrefixListsRequest, DescribePrefixListsResult>(
    { PrefixListIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = pageOf(listsFor(ec2, input.PrefixListIds, input.Filters), order, input)
      return {
        PrefixLists: items.map(({ id, name, cidrs }) => ({
          PrefixListId: id,
          PrefixListName: name,
          Cidrs: [...cidrs],
        })),
        NextToken: next,
      }
    },
  ),
  DescribeManagedPrefixLists: operation<DescribeManagedPrefixListsRequest, DescribeManagedPrefixListsResult>(
    { PrefixListIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = pageOf(listsFor(ec2, input.PrefixListIds, input.Filters), order, input, {
        least: 1,
      })
      return {
        PrefixLists: items.map(({ id, name }) => ({
          PrefixListId: id,
          PrefixListName: name,
          AddressFamily: 'IPv4',
          State: 'create-complete',
          OwnerId: 'AWS',
          PrefixListArn: `arn:aws:ec2:${ec2.region}:aws:prefix-list/${id}`,
          Tags: [],
        })),
        NextToken: next,
      }
    },
  ),
}
