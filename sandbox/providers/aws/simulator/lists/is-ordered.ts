/**
 * The lists whose order AWS documents, by action and member. All others may have any order, also within one item:
 *
 * - EC2: "The order of the elements in the response, including those within nested structures, might vary"
 *   ("DescribeInstances", "DescribeVolumes", "DescribeTags" and others, EC2 API reference). The pages of the other
 *   actions say nothing about an order.
 * - IAM: only lists of tags are documented as sorted, by key ("ListInstanceProfileTags", IAM API reference). The
 *   simulator has none of these actions.
 * - EFS: the order "is unspecified" ("DescribeFileSystems", "DescribeMountTargets", EFS API reference).
 * - Load balancers: nothing ("DescribeLoadBalancers" of both versions).
 * - Route 53: "in ASCII order" ("ListResourceRecordSets"). Nothing about ListHostedZones, and nothing about the values
 *   of a record set; DNS has no order of them (RFC 2181, 5).
 * - S3: "Amazon S3 lists objects in alphabetical order" ("KeyMarker", "ListObjectsV2", S3 API reference), and versions
 *   of an object "in the order in which they were stored, with the most recently stored returned first" ("Listing
 *   object versions in a versioning-enabled bucket", S3 user guide). Nothing about ListBuckets and the rules of a
 *   lifecycle.
 */
const documented: ReadonlySet<string> = new Set([
  'route53:ListResourceRecordSets.ResourceRecordSets',
  's3:ListObjectVersions.CommonPrefixes',
  's3:ListObjectVersions.DeleteMarkers',
  's3:ListObjectVersions.Versions',
  's3:ListObjectsV2.CommonPrefixes',
  's3:ListObjectsV2.Contents',
])

/** @param place an action and a member of its answer: `ec2:DescribeVpcs.Vpcs`; members of items follow */
export const isOrdered = (place: string): boolean => documented.has(place)
