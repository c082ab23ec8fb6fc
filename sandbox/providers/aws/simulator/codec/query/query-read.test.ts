import * as ec2 from '@aws-sdk/client-ec2'
import * as iam from '@aws-sdk/client-iam'
import { NormalizedSchema } from '@smithy/core/schema'
import { describe, expect, test } from 'vitest'
import { MalformedRequest } from '../malformed.ts'
import { parseForm, readQuery } from './query-read.ts'

const form = (text: string) => parseForm(Buffer.from(text))
const describeVpcs = NormalizedSchema.of(ec2.DescribeVpcsRequest$)
const listUsers = NormalizedSchema.of(iam.ListUsersRequest$)
const tagRole = NormalizedSchema.of(iam.TagRoleRequest$)

describe('a form', () => {
  test('of EC2 has flat lists in the order of their numbers', () => {
    const input = readQuery(
      describeVpcs,
      form(
        'Filter.2.Name=state&Filter.10.Name=tag:b&Filter.1.Name=vpc-id&Filter.1.Value.2=y&Filter.1.Value.1=x',
      ),
      'ec2Query',
    )
    expect(input).toEqual({
      Filters: [{ Name: 'vpc-id', Values: ['x', 'y'] }, { Name: 'state' }, { Name: 'tag:b' }],
    })
  })

  test('of the other services has member lists, and an empty one as an empty parameter', () => {
    expect(
      readQuery(tagRole, form('RoleName=r&Tags.member.1.Key=k&Tags.member.1.Value='), 'awsQuery'),
    ).toEqual({
      RoleName: 'r',
      Tags: [{ Key: 'k', Value: '' }],
    })
    expect(readQuery(tagRole, form('RoleName=r&Tags='), 'awsQuery')).toEqual({ RoleName: 'r', Tags: [] })
  })

  test.each([
    ['a number that is none', listUsers, 'MaxItems=ten'],
    ['a name that nests without end', listUsers, `${'a.'.repeat(100)}b=1`],
    ['a boolean that is none', describeVpcs, 'DryRun=perhaps'],
  ])('with %s is malformed', (_, schema, text) => {
    expect(() => readQuery(schema, form(text), 'ec2Query')).toThrow(MalformedRequest)
  })

  test('that is not UTF-8 is malformed', () => {
    expect(() => parseForm(Uint8Array.of(0xff, 0xfe))).toThrow(MalformedRequest)
  })

  test('cannot reach an object’s prototype', () => {
    const input = readQuery(tagRole, form('__proto__.polluted=1&RoleName=r'), 'awsQuery')
    expect(input).toEqual({ RoleName: 'r' })
    expect({}).not.toHaveProperty('polluted')
  })
})
