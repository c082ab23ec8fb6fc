import { isDeepStrictEqual } from 'node:util'
import type { Reviewer } from '../../../../shared/webhooks/admission/admission.ts'
import { refusedFor } from '../garden/refused-for.ts'
import { secretErrors } from './secret-errors.ts'

/** Validates a Secret with the credentials of a shoot. Ignores updates that do not change the data. */
export const validateSecret: Reviewer = ({ object, oldObject }) =>
  oldObject !== undefined && isDeepStrictEqual(object.data ?? {}, oldObject.data ?? {})
    ? {}
    : refusedFor(secretErrors(object))
