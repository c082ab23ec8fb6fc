import { describe, expect, test } from 'vitest'
import { describeAwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { refusalOf } from './refusals.ts'

const refused = (message: string, code = 'InvalidChangeBatch') =>
  refusalOf(
    describeAwsError(Object.assign(new Error(message), { name: code, $fault: 'client' }), {
      doing: 'changing the records of a.example.com in hosted zone Z1',
    }),
    'spec.zone',
  )

describe('a refusal that only a user can mend has a code and the advice', () => {
  test.each([
    [
      '[RRSet of type CNAME with DNS name example.com. is not permitted at apex in zone example.com.]',
      'The name of a zone cannot have a CNAME. Use a name below it',
    ],
    [
      '[RRSet of type CNAME with DNS name a.example.com. is not permitted as it conflicts with other records with the same DNS name in zone example.com.]',
      'Delete the others in the hosted zone, or use another name',
    ],
    [
      '[RRSet of type A with DNS name a.example.com. is not permitted because a conflicting RRSet of type CNAME with the same DNS name already exists in zone example.com.]',
      'Delete the others in the hosted zone, or use another name',
    ],
    [
      '[RRSet with DNS name a.example.com., type A cannot be created as other RRSets exist with the same name and type.]',
      'The name has records with a routing policy',
    ],
    [
      '[RRSet with DNS name a.example.com., type A, SetIdentifier x cannot be created as a non-weighted set exists with the same name and type.]',
      'The name has records with a routing policy',
    ],
    [
      '[RRSet with DNS name a.example.net. is not permitted in zone example.com.]',
      'Set spec.zone to a hosted zone',
    ],
    [
      "[Invalid Resource Record: 'FATAL problem: ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address) encountered with 'x'']",
      'Fix spec.values.',
    ],
    [
      "[Invalid Resource Record: 'FATAL problem: AAAARRDATAIllegalIPv6Address (Value is not a valid IPv6 address) encountered with 'x'']",
      'Fix spec.values.',
    ],
    ["Invalid Resource Record: FATAL problem: TXTRDATATooLong encountered at 'x'", 'Fix spec.values.'],
    [
      "[Invalid Resource Record: 'FATAL problem: InvalidCharacterString (Value should be enclosed in quotation marks) encountered with 'x'']",
      'Fix spec.values.',
    ],
    [
      "[Invalid Resource Record: 'FATAL problem: CharacterStringTooLong (Value is too long) encountered with 'x'']",
      'Fix spec.values.',
    ],
    [
      "[Invalid Resource Record: 'FATAL problem: RRDATANotSingleField (Value contains spaces) encountered with 'a b'']",
      'Fix spec.values.',
    ],
    ["[Duplicate Resource Record: '1.2.3.4']", 'Fix spec.values.'],
    [
      "[FATAL problem: DomainLabelTooLong (Domain label is too long) encountered with 'x']",
      'Fix spec.name, or the domain name in spec.values.',
    ],
    [
      "[FATAL problem: DomainNameEmpty (Domain name is empty) encountered with '']",
      'Fix spec.name, or the domain name in spec.values.',
    ],
    ['[Cannot have more than 400 records in a RRSet.]', 'Reduce spec.values'],
    ['[Number of records limit of 1000 exceeded.]', 'Reduce spec.values'],
    ['[Number of characters limit of 32000 exceeded.]', 'Reduce spec.values'],
    ['[an unknown text]', 'Fix spec.values or spec.ttl, or use another spec.name.'],
  ])('%s', (message, advice) => {
    const error = refused(message)
    expect(error?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(error?.message).toContain(
      `changing the records of a.example.com in hosted zone Z1: InvalidChangeBatch: ${message}`,
    )
    expect(error?.message).toContain(advice)
  })

  test.each([
    "Invalid XML ; javax.xml.stream.XMLStreamException: org.xml.sax.SAXParseException; cvc-maxInclusive-valid: Value '2147483648' is not facet-valid with respect to maxInclusive '2147483647' for type 'TTL'.",
    "Invalid XML ; cvc-maxLength-valid: Value 'x' with length = '1025' is not facet-valid with respect to maxLength '1024' for type 'DNSName'.",
    'Invalid request: Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId], but found none in Change with [Action=UPSERT, Name=a.example.com, Type=A, SetIdentifier=null]',
  ])('InvalidInput: %s', message => {
    const error = refused(message, 'InvalidInput')
    expect(error?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(error?.message).toContain('Fix spec.values or spec.ttl, or use another spec.name.')
  })

  test('the zone is missing', () => {
    expect(refused('No hosted zone found with ID: Z1', 'NoSuchHostedZone')?.message).toBe(
      'changing the records of a.example.com in hosted zone Z1: NoSuchHostedZone: No hosted zone found with ID: Z1. Set spec.zone to a hosted zone that contains this name, or remove it to select the zone by name.',
    )
  })
})

describe('a refusal that another attempt may overcome has no code', () => {
  test.each([
    "[Tried to delete resource record set [name='a.example.com.', type='A'] but it was not found]",
    "[Tried to delete resource record set [name='a.example.com.', type='A'] but the values provided do not match the current values]",
    "[Tried to create resource record set [name='a.example.com.', type='A'] but it already exists]",
    '[Tried to create an alias that targets lb.eu-west-1.elb.amazonaws.com., type A in zone Z32O12XQLNTSW2, but that target was not found]',
    '[Tried to create an alias that targets lb.eu-west-1.elb.amazonaws.com., type A in zone Z32O12XQLNTSW2, but the alias target name does not lie within the target zone, Tried to create an alias that targets lb.eu-west-1.elb.amazonaws.com., type A in zone Z32O12XQLNTSW2, but that target was not found]',
    "[Tried to delete resource record set [name='a.example.com.', type='CNAME'] but it was not found, RRSet of type A with DNS name a.example.com. is not permitted because a conflicting RRSet of type CNAME with the same DNS name already exists in zone example.com.]",
  ])('%s', message => {
    expect(refused(message)).toBeUndefined()
  })

  test.each(['AccessDenied', 'InternalFailure', 'ServiceUnavailable', 'NoSuchChange'])('%s', code => {
    expect(refused('it was refused', code)).toBeUndefined()
  })
})
