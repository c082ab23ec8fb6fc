import { refuse } from '../service.ts'
import { statementElements } from '../statement-elements.ts'

/*
 * The grammar of policy documents, as far as IAM validates it. Source of the rules: "Grammar of the IAM JSON policy
 * language", IAM user guide; of the texts: responses of the service.
 */

type PolicyJson = Readonly<Record<string, unknown>>

const malformed = (message: string) => refuse('MalformedPolicyDocument', message)
const syntaxError = () => malformed('Syntax errors in policy.')

const isObject = (value: unknown): value is PolicyJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text or a list of texts. */
const textsOf = (value: unknown): string[] => {
  const list = Array.isArray(value) ? value : [value]
  if (list.length === 0 || list.some(item => typeof item !== 'string')) throw syntaxError()
  return list as string[]
}

const topLevel = ['Version', 'Id', 'Statement']
const parse = (text: string): PolicyJson => {
  if (!/^[\t\n\r\u0020-\u00FF]+$/.test(text)) {
    throw refuse(
      'ValidationError',
      'The specified value for policyDocument is invalid. It must contain only printable ASCII characters.',
      { status: 400 },
    )
  }
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw malformed('This policy contains invalid Json')
  }
  if (!isObject(document)) throw syntaxError()
  return document
}

const statementsOf = (document: PolicyJson): PolicyJson[] => {
  if (Object.keys(document).some(name => !topLevel.includes(name))) throw syntaxError()
  const { Version, Statement } = document
  if (Version !== undefined && Version !== '2012-10-17' && Version !== '2008-10-17') throw syntaxError()
  if (Statement === undefined) throw syntaxError()
  const statements: unknown[] = Array.isArray(Statement) ? Statement : [Statement]
  if (statements.length === 0) throw syntaxError()
  return statements.map(statement => {
    if (!isObject(statement)) throw syntaxError()
    if (Object.keys(statement).some(name => !statementElements.includes(name))) throw syntaxError()
    if (statement.Effect !== 'Allow' && statement.Effect !== 'Deny') throw syntaxError()
    return statement
  })
}

const checkActions = (statement: PolicyJson): string[] => {
  const value = statement.Action ?? statement.NotAction
  if (value === undefined) throw malformed('Policy statement must contain actions.')
  const actions = textsOf(value)
  for (const action of actions) {
    if (action === '*') continue
    const [vendor, name, ...rest] = action.split(':')
    if (!vendor || name === undefined) {
      throw malformed('Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.')
    }
    if (rest.length > 0) throw malformed('Actions/Condition can contain only one colon.')
    if (!/^[a-z0-9-]+$/i.test(vendor)) throw malformed(`Vendor ${vendor} is not valid`)
    if (!/^[\w*?-]+$/.test(name)) throw syntaxError()
  }
  return actions
}

const checkConditions = ({ Condition }: PolicyJson): void => {
  if (Condition === undefined) return
  if (!isObject(Condition) || Object.values(Condition).some(keys => !isObject(keys))) throw syntaxError()
}

const checkResources = (statement: PolicyJson): void => {
  const value = statement.Resource ?? statement.NotResource
  if (value === undefined) throw malformed('Policy statement must contain resources.')
  for (const resource of textsOf(value)) {
    if (resource === '*') continue
    const [arn, partition, ...rest] = resource.split(':')
    if (arn !== 'arn' || rest.length < 3) {
      throw malformed(`Resource ${resource} must be in ARN format or "*".`)
    }
    if (!/^(?:aws(?:-[a-z]+)*|\*)$/.test(partition ?? '')) {
      throw malformed(`Partition "${partition}" is not valid for resource "${resource}".`)
    }
  }
}

const checkUniqueSids = (statements: readonly PolicyJson[]): void => {
  const sids = statements.flatMap(({ Sid }) => (Sid === undefined || Sid === '' ? [] : [Sid]))
  for (const sid of sids) if (typeof sid !== 'string') throw syntaxError()
  if (new Set(sids).size < sids.length) {
    throw malformed('Statement IDs (SID) in a single policy must be unique.')
  }
}

/**
 * Checks the document of an identity's policy.
 *
 * @throws AwsError MalformedPolicyDocument
 */
export const checkPolicy = (text: string): void => {
  const statements = statementsOf(parse(text))
  for (const statement of statements) {
    if ('Principal' in statement || 'NotPrincipal' in statement) {
      throw malformed('Policy document should not specify a principal.')
    }
    checkActions(statement)
    checkResources(statement)
    checkConditions(statement)
  }
  checkUniqueSids(statements)
}

const principalKinds = ['AWS', 'Service', 'Federated', 'CanonicalUser']

const checkPrincipal = (value: unknown): void => {
  if (value === '*') return
  if (!isObject(value)) throw malformed('AssumeRolepolicy contained an invalid principal: "STAR".')
  const kinds = Object.keys(value)
  if (kinds.length === 0) throw malformed('Missing required field Principal cannot be empty!')
  for (const kind of kinds) {
    if (!principalKinds.includes(kind)) throw syntaxError()
    for (const name of textsOf(value[kind])) {
      const valid =
        kind === 'AWS'
          ? /^(?:\*|\d{12}|arn:aws[a-z-]*:(?:iam|sts)::\d{12}:.+)$/.test(name)
          : kind === 'Service'
            ? /^[a-z0-9.-]+\.(?:amazonaws\.com(?:\.cn)?|amazon\.com|aws\.internal)$/.test(name)
            : name !== ''
      if (!valid) throw malformed(`Invalid principal in policy: "${kind.toUpperCase()}":"${name}"`)
    }
  }
}

/**
 * Checks the trust policy of a role.
 *
 * @throws AwsError MalformedPolicyDocument
 */
export const checkTrustPolicy = (text: string): void => {
  const statements = statementsOf(parse(text))
  for (const statement of statements) {
    if ('Resource' in statement) throw malformed('Has prohibited field Resource')
    if ('NotResource' in statement) throw malformed('Has prohibited field NotResource')
    if (!('Principal' in statement) && !('NotPrincipal' in statement)) {
      throw malformed('Missing required field Principal')
    }
    checkPrincipal(statement.Principal ?? statement.NotPrincipal)
    if (checkActions(statement).some(action => !/^sts:/i.test(action))) {
      throw malformed('AssumeRole policy may only specify STS AssumeRole actions.')
    }
    checkConditions(statement)
  }
  checkUniqueSids(statements)
}

/** The length that counts for quotas: without white space ("IAM and STS character limits", IAM user guide). */
export const countedLength = (text: string): number => text.replace(/\s/g, '').length

/** Encodes a document for a response: percent-encoded (RFC 3986), as the API reference documents. */
export const encodeDocument = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
