import { forbidden } from '../../requests/api-error.ts'
import { celMessageOf, createCelPrograms } from '../../schema/cel-programs.ts'
import { celValue } from '../../schema/cel-value.ts'
import type { AdmissionRequest } from '../admission.ts'
import type { RegisteredWebhook } from './registered-webhook.ts'
import { reviewDocument } from './review-document.ts'

/** Returns true if the conditions of a webhook (`matchConditions`) match a write. */
export type MatchConditions = (webhook: RegisteredWebhook, request: AdmissionRequest) => boolean

/** Returns the error of an expression, in one line; undefined: it can be evaluated. */
export const expressionFault = (expression: string): string | undefined => {
  try {
    createCelPrograms()(expression)
    return undefined
  } catch (error) {
    return celMessageOf(error)
  }
}

/**
 * Evaluates as kube-apiserver does. A false expression decides. Otherwise the failure policy decides about an
 * expression that fails; `Fail` refuses the write. Each expression is parsed once.
 */
export const createMatchConditions = (): MatchConditions => {
  const program = createCelPrograms()
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
        fault ??= `${expression}: ${celMessageOf(error)}`
      }
    }
    if (fault === undefined) return true
    if (failurePolicy === 'Ignore') return false
    throw forbidden(request.type, request.name, fault)
  }
}
