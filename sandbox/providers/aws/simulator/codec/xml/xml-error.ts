import { createHash } from 'node:crypto'
import { XmlNode } from '@aws-sdk/xml-builder'
import type { WireResponse } from '../message.ts'
import type { ServiceModel } from '../model.ts'
import { errorStatus, type WireError } from '../wire-error.ts'
import { textElement, writeXmlMembers, xmlDeclaration } from './xml-write.ts'

const isMessage = (name: string): boolean => name.toLowerCase() === 'message'

/** Returns `<Error>` with its code, its message and the members that the service's model defines. */
const errorElement = (model: ServiceModel, error: WireError, fault?: string): XmlNode => {
  const element = new XmlNode('Error')
  if (fault) element.addChildNode(textElement('Type', fault))
  element.addChildNode(textElement('Code', error.code)).addChildNode(textElement('Message', error.message))
  const schema = model.errors.get(error.code)?.schema
  const members = schema ? [...schema.structIterator()].filter(([name]) => !isMessage(name)) : []
  const values = error.members ?? {}
  writeXmlMembers(members, values, element)
  for (const [name, value] of Object.entries(values)) {
    const modelled = members.some(([member]) => member === name)
    if (!modelled && typeof value === 'string') element.addChildNode(textElement(name, value))
  }
  return element
}

const withNamespace = (model: ServiceModel, element: XmlNode): XmlNode =>
  model.xmlNamespace ? element.addAttribute('xmlns', model.xmlNamespace) : element

/**
 * Writes an XML error in one of three shapes: `<Response><Errors>` for EC2, a bare `<Error>` for S3, `<ErrorResponse>`
 * for the others.
 */
export const xmlError = (model: ServiceModel, error: WireError, requestId: string): WireResponse => {
  const status = errorStatus(model, error)
  const root = () => {
    if (model.protocol === 'ec2Query') {
      return new XmlNode('Response')
        .addChildNode(new XmlNode('Errors').addChildNode(errorElement(model, error)))
        .addChildNode(textElement('RequestID', requestId))
    }
    if (model.bareErrors) {
      return errorElement(model, error)
        .addChildNode(textElement('RequestId', requestId))
        .addChildNode(textElement('HostId', hostIdOf(requestId)))
    }
    return withNamespace(model, new XmlNode('ErrorResponse'))
      .addChildNode(errorElement(model, error, status < 500 ? 'Sender' : 'Receiver'))
      .addChildNode(textElement('RequestId', requestId))
  }
  return {
    status,
    headers: { 'content-type': 'text/xml', ...requestIdHeaders(model, requestId), ...error.headers },
    body: Buffer.from(xmlDeclaration + root().toString(), 'utf8'),
  }
}

/** The second request identifier of S3. */
const hostIdOf = (requestId: string): string => createHash('sha512').update(requestId).digest('base64')

/** S3 uses another header name than the other services, and sends a second header. */
export const requestIdHeaders = (model: ServiceModel, requestId: string): Record<string, string> =>
  model.bareErrors
    ? { 'x-amz-request-id': requestId, 'x-amz-id-2': hostIdOf(requestId) }
    : { 'x-amzn-requestid': requestId }
