import type {
  CreateIpamPoolRequest,
  CreateIpamPoolResult,
  CreateIpamRequest,
  CreateIpamResult,
  DeleteIpamPoolRequest,
  DeleteIpamPoolResult,
  DeleteIpamRequest,
  DeleteIpamResult,
  DescribeIpamPoolsRequest,
  DescribeIpamPoolsResult,
  DescribeIpamsRequest,
  DescribeIpamsResult,
  GetIpamPoolCidrsRequest,
  GetIpamPoolCidrsResult,
  Ipam,
  IpamPool,
  ProvisionIpamPoolCidrRequest,
  ProvisionIpamPoolCidrResult,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { unsupported } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { onceByToken } from '../core/requests/once-by-token.ts'
import { operation } from '../core/requests/operation.ts'
import type { StoredIpam, StoredIpamPool } from '../core/state.ts'
import { newTags, tagsOut } from '../tags/tag-rules.ts'

const ipamsOf = ({ state }: Ec2): Record<string, StoredIpam> => {
  state.ipams ??= {}
  return state.ipams
}

const known = <Row>(rows: Readonly<Record<string, Row>>, what: 'Ipam' | 'IpamPool', id = ''): Row => {
  const row = Object.hasOwn(rows, id) ? rows[id] : undefined
  const shown = what === 'Ipam' ? 'ipam' : 'ipam-pool'
  if (row === undefined) throw refuse(`Invalid${what}Id.NotFound`, `The ${shown} ID '${id}' does not exist`)
  return row
}

/** Requires `Cascade`. The simulator does not implement deletions without it, because no caller needs them. */
const requireCascade = (cascade: boolean | undefined, action: string): void => {
  if (cascade !== true) throw unsupported(`${action} without Cascade`)
}

const ipamView = (ec2: Ec2, id: string, row: StoredIpam): Ipam => ({
  IpamId: id,
  OwnerId: ec2.accountId,
  IpamRegion: ec2.region,
  Description: row.description,
  PrivateDefaultScopeId: row.privateScope,
  PublicDefaultScopeId: row.publicScope,
  ScopeCount: 2,
  OperatingRegions: row.regions.map(RegionName => ({ RegionName })),
  State: 'create-complete',
  Tags: tagsOut(row.tags),
})

const poolView = (ec2: Ec2, id: string, row: StoredIpamPool): IpamPool => ({
  IpamPoolId: id,
  OwnerId: ec2.accountId,
  Description: row.description,
  Locale: row.locale ?? ec2.region,
  AddressFamily: 'ipv6',
  State: 'create-complete',
  Tags: tagsOut(row.tags ?? []),
})

const cidrsOf = ({ cidr }: StoredIpamPool) =>
  cidr === ''
    ? []
    : [{ Cidr: cidr, State: 'provisioned' as const, NetmaskLength: Number(cidr.split('/')[1]) }]

/** Returns the next unused block of IPAM's range for private IPv6 addresses (RFC 4193, fd80::/9). */
const nextBlock = (ec2: Ec2, length: number): string => {
  const used = new Set(Object.values(ec2.state.ipamPools).map(({ cidr }) => cidr))
  for (let index = 1; index < 65_536; index++) {
    const cidr = `fd80:0:${index.toString(16)}::/${length}`
    if (!used.has(cidr)) return cidr
  }
  throw refuse('InsufficientCidrBlocks', 'There is no free CIDR block of the size.')
}

/** IPAM with pools of private IPv6 addresses. Each object is available at once. */
export const ipamOperations = {
  CreateIpam: operation<CreateIpamRequest, CreateIpamResult>(
    {
      Description: true,
      OperatingRegions: { RegionName: true },
      ClientToken: true,
      TagSpecifications: acceptsTags,
    },
    (input, ec2) => {
      const { ids } = onceByToken(ec2, 'CreateIpam', input, () => {
        const made = ec2.newId('ipam')
        ipamsOf(ec2)[made] = {
          description: input.Description,
          privateScope: ec2.newId('ipam-scope'),
          publicScope: ec2.newId('ipam-scope'),
          regions: (input.OperatingRegions ?? []).flatMap(({ RegionName }) => RegionName ?? []),
          tags: newTags(input.TagSpecifications, 'ipam'),
        }
        return [made]
      })
      const [id = ''] = ids
      return { Ipam: ipamView(ec2, id, known(ipamsOf(ec2), 'Ipam', id)) }
    },
  ),
  DescribeIpams: operation<DescribeIpamsRequest, DescribeIpamsResult>({ IpamIds: true }, (input, ec2) => {
    const rows = ipamsOf(ec2)
    const ids = input.IpamIds?.length ? input.IpamIds : Object.keys(rows)
    return { Ipams: ids.map(id => ipamView(ec2, id, known(rows, 'Ipam', id))) }
  }),
  DeleteIpam: operation<DeleteIpamRequest, DeleteIpamResult>(
    { IpamId: true, Cascade: true },
    (input, ec2) => {
      const rows = ipamsOf(ec2)
      const row = known(rows, 'Ipam', input.IpamId)
      requireCascade(input.Cascade, 'DeleteIpam')
      for (const [id, { scope }] of Object.entries(ec2.state.ipamPools))
        if (scope === row.privateScope || scope === row.publicScope) delete ec2.state.ipamPools[id]
      delete rows[input.IpamId ?? '']
      return { Ipam: { ...ipamView(ec2, input.IpamId ?? '', row), State: 'delete-complete' } }
    },
  ),
  CreateIpamPool: operation<CreateIpamPoolRequest, CreateIpamPoolResult>(
    {
      IpamScopeId: true,
      Locale: true,
      Description: true,
      AddressFamily: true,
      ClientToken: true,
      TagSpecifications: acceptsTags,
    },
    (input, ec2) => {
      if (input.AddressFamily !== 'ipv6') throw unsupported('CreateIpamPool for IPv4')
      const scope = input.IpamScopeId ?? ''
      if (!Object.values(ipamsOf(ec2)).some(({ privateScope }) => privateScope === scope))
        throw refuse('InvalidIpamScopeId.NotFound', `The ipam-scope ID '${scope}' does not exist`)
      const { ids } = onceByToken(ec2, 'CreateIpamPool', input, () => {
        const made = ec2.newId('ipam-pool')
        ec2.state.ipamPools[made] = {
          cidr: '',
          scope,
          locale: input.Locale,
          description: input.Description,
          tags: newTags(input.TagSpecifications, 'ipam-pool'),
        }
        return [made]
      })
      const [id = ''] = ids
      return { IpamPool: poolView(ec2, id, known(ec2.state.ipamPools, 'IpamPool', id)) }
    },
  ),
  DescribeIpamPools: operation<DescribeIpamPoolsRequest, DescribeIpamPoolsResult>(
    { IpamPoolIds: true },
    (input, ec2) => {
      const rows = ec2.state.ipamPools
      const ids = input.IpamPoolIds?.length ? input.IpamPoolIds : Object.keys(rows)
      return { IpamPools: ids.map(id => poolView(ec2, id, known(rows, 'IpamPool', id))) }
    },
  ),
  ProvisionIpamPoolCidr: operation<ProvisionIpamPoolCidrRequest, ProvisionIpamPoolCidrResult>(
    { IpamPoolId: true, NetmaskLength: true, ClientToken: true },
    (input, ec2) => {
      const { IpamPoolId: pool = '' } = input
      const row = known(ec2.state.ipamPools, 'IpamPool', pool)
      onceByToken(ec2, 'ProvisionIpamPoolCidr', input, () => {
        if (row.cidr !== '') throw unsupported('a second CIDR of an IPAM pool')
        ec2.state.ipamPools[pool] = { ...row, cidr: nextBlock(ec2, input.NetmaskLength ?? 56) }
        return [pool]
      })
      return { IpamPoolCidr: cidrsOf(known(ec2.state.ipamPools, 'IpamPool', pool))[0] }
    },
  ),
  GetIpamPoolCidrs: operation<GetIpamPoolCidrsRequest, GetIpamPoolCidrsResult>(
    { IpamPoolId: true },
    (input, ec2) => ({ IpamPoolCidrs: cidrsOf(known(ec2.state.ipamPools, 'IpamPool', input.IpamPoolId)) }),
  ),
  DeleteIpamPool: operation<DeleteIpamPoolRequest, DeleteIpamPoolResult>(
    { IpamPoolId: true, Cascade: true },
    (input, ec2) => {
      const row = known(ec2.state.ipamPools, 'IpamPool', input.IpamPoolId)
      requireCascade(input.Cascade, 'DeleteIpamPool')
      delete ec2.state.ipamPools[input.IpamPoolId ?? '']
      return { IpamPool: { ...poolView(ec2, input.IpamPoolId ?? '', row), State: 'delete-complete' } }
    },
  ),
}
