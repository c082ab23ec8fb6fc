import { XmlNode } from '@aws-sdk/xml-builder'
import type { Codec } from '../codec.ts'
import { MalformedRequest } from '../malformed.ts'
import type { ServiceModel } from '../model.ts'
import { requestIdHeaders, xmlError } from '../xml/xml-error.ts'
import { textElement, writeXmlMembers, xmlDeclaration } from '../xml/xml-write.ts'
import { parseForm, type QueryDialect, readQuery } from './query-read.ts'

/** The codec of awsQuery and ec2Query: reads a form (body, or the query of a GET) and writes XML. */
export const createQueryCodec = (model: ServiceModel, dialect: QueryDialect): Codec => ({
  route: request => {
    if (request.method !== 'POST' && request.method !== 'GET') {
      throw new MalformedRequest('method', request.method, 'no method of a query')
    }
    const form = parseForm(request.body)
    for (const [name, values] of request.query) for (const value of values) form.append(name, value)
    const action = form.get('Action') ?? ''
    const version = form.get('Version') ?? model.version
    // EC2 refuses another version with its own text when it parses the form.
    if (dialect === 'awsQuery' && action !== '' && version !== model.version) {
      throw new MalformedRequest(
        'version',
        version,
        `Could not find operation ${action} for version ${version}`,
      )
    }
    const operation = model.operations.get(action)
    if (!operation) throw new MalformedRequest('operation', action, 'no such operation')
    return { operation, readInput: () => readQuery(operation.input, form, dialect) }
  },
  encode: (operation, output, requestId) => {
    const root = new XmlNode(`${operation.name}Response`).addAttribute('xmlns', model.xmlNamespace)
    const members = operation.output.isStructSchema() ? [...operation.output.structIterator()] : []
    if (dialect === 'ec2Query') {
      root.addChildNode(textElement('requestId', requestId))
      writeXmlMembers(members, output, root)
    } else {
      if (operation.output.isStructSchema()) {
        root.addChildNode(writeXmlMembers(members, output, new XmlNode(`${operation.name}Result`)))
      }
      root.addChildNode(new XmlNode('ResponseMetadata').addChildNode(textElement('RequestId', requestId)))
    }
    return {
      status: 200,
      headers: { 'content-type': 'text/xml;charset=UTF-8', ...requestIdHeaders(model, requestId) },
      body: Buffer.from(xmlDeclaration + root.toString(), 'utf8'),
    }
  },
  encodeError: (error, requestId) => xmlError(model, error, requestId),
})
