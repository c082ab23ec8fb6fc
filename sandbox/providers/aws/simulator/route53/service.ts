import { serviceModel } from '../codec/model.ts'
import { storedSchemas } from '../schemas/stored-schemas.ts'
import type { Violation } from '../serve/missing-members.ts'
import { commonRefusals } from '../serve/refusals.ts'
import type { Refusals, Service } from '../service.ts'
import { getChange } from './changes.ts'
import { changeResourceRecordSets, listResourceRecordSets } from './records/records.ts'
import { emptyState, type Route53State } from './state.ts'
import { bareId, createHostedZone, deleteHostedZone, getHostedZone, listHostedZones } from './zones/zones.ts'

export interface Route53Settings {
  /** Time from PENDING to INSYNC, in ms. Default: 60,000. */
  readonly insyncAfter?: number
}

export const route53Model = serviceModel({
  name: 'route53',
  protocol: 'restXml',
  version: '2013-04-01',
  xmlNamespace: 'https://route53.amazonaws.com/doc/2013-04-01/',
  schemas: storedSchemas('route53'),
  // Clients that neither strip nor escape the prefix of an id repeat it in the path.
  locate: request => ({ path: request.path.replace('/hostedzone//hostedzone/', '/hostedzone/'), labels: {} }),
})

const incomplete = ([first]: readonly Violation[]): string => {
  const parent = first?.path.findLast(step => !/^\d+$/.test(step)) ?? 'request'
  return `Invalid XML ; javax.xml.stream.XMLStreamException: org.xml.sax.SAXParseException; cvc-complex-type.2.4.b: The content of element '${parent}' is not complete. One of '{"${route53Model.xmlNamespace}":${first?.member}}' is expected.`
}

const refusals: Refusals = {
  ...commonRefusals,
  malformed: error =>
    error.kind === 'value'
      ? {
          code: 'InvalidInput',
          message: `Invalid XML ; cvc-datatype-valid.1.2.1: ${error.message} in '${error.subject}'.`,
        }
      : { code: 'MalformedInput', message: error.message },
  incomplete: violations => ({ code: 'InvalidInput', message: incomplete(violations) }),
  unknownOperation: name => ({
    code: 'InvalidAction',
    message: `The action ${name} is not valid for this web service.`,
    status: 404,
  }),
}

/** Route 53: hosted zones, their records and changes. */
export const createRoute53 = ({ insyncAfter = 60_000 }: Route53Settings = {}): Service<Route53State> => {
  const clock = { insyncAfter }
  return {
    model: route53Model,
    scope: 'global',
    signingName: 'route53',
    largestBody: 1024 * 1024,
    createState: emptyState,
    lateRows: { zones: { id: 'id' } },
    readsOf: ({ zones }) =>
      zones.flatMap(({ id }) => [
        ['GetHostedZone', { Id: id }] as const,
        ['ListResourceRecordSets', { HostedZoneId: id }] as const,
      ]),
    refusals,
    resourceOf: (_, input) => {
      const zone = input.HostedZoneId ?? input.Id
      return typeof zone === 'string' ? `arn:aws:route53:::hostedzone/${bareId(zone)}` : undefined
    },
    handlers: {
      ListHostedZones: listHostedZones,
      CreateHostedZone: createHostedZone(clock),
      GetHostedZone: getHostedZone,
      DeleteHostedZone: deleteHostedZone(clock),
      ListResourceRecordSets: listResourceRecordSets,
      ChangeResourceRecordSets: changeResourceRecordSets(clock),
      GetChange: getChange(clock),
    },
  }
}
