import { Environment } from '@marcbachmann/cel-js'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { forbidden } from '../../requests/api-error.ts'
import { celValue } from '../../schema/cel-value.ts'
import type { AdmissionRequest } from '../admission.ts'
import type { RegisteredWebhook } from './registered-webhook.ts'
import { reviewDocument } from './review-document.ts'

type CelProgram = (variables: Record<string, unknown>) => unknown

/** Returns true if the conditions of a webhook (`matchConditions`) match a write. */
export type MatchConditions = (webhook: RegisteredWebhook, request: AdmissionRequest) => boolean

/** Returns the error of an expression, in one line; undefined: it can be evaluated. */
export const expressionFault = (expression: string): string | undefined => {
  try {
    new Environment({ unlistedVariablesAreDyn: true }).parse(expression)
    return undefined
  } catch (error) {
    return firstLine(error)
  }
}

/**
 * Evaluates as kube-apiserver does. A false expression decides. Otherwise the failure policy decides about an
 * expression that fails; `Fail` refuses the write. Each expression is parsed once.
 */
export const createMatchConditions = (): MatchConditions => {
  const environment = new Environment({ unlistedVariablesAreDyn: true })
  const programs = new Map<string, CelProgram>()
  const program = (expression: string): CelProgram => {
    const made: CelProgram = programs.get(expression) ?? environment.parse(expression)
    programs.set(expression, made)
    return made
  }
  return ({ matchConditions, failurePolicy }, request) => {
    if (matchConditions.length === 0) return true
    const { request: document } = reviewDocument(request, '') as { readonly request: Record<string, unknown> }
    const { object, oldObject } = document
    const variables = {
      object: celValue(object, undefined),
      oldObject: celValue(oldObject, undefined),
      request: celValue(document, undefined),
    }
    let fault: string | undefined
    for (const expression of matchConditions) {
      try {
        if (program(expression)(variables) !== true) return false
      } catch (error) {
        fault ??= `${expression}: ${firstLine(error)}`
      }
    }
    if (fault === undefined) return true
    if (failurePolicy === 'Ignore') return false
    throw forbidden(request.type, request.name, fault)
  }
}

const firstLine = (error: unknown): string => messageOf(error).split('\n')[0] ?? ''
