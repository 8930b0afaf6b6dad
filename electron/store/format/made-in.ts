/** Where a capture was made: the machine, and the job, commit and branch as CI systems tell them in variables. */
import { hostname } from 'node:os';
import type { MadeIn } from '../../../shared/artifact.ts';

/** Null outside of CI. */
export function madeIn(env: NodeJS.ProcessEnv): MadeIn | null {
  const first = (...values: (string | undefined | false)[]) => values.find(Boolean) || null;
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const github = server && repository && run && `${server}/${repository}/actions/runs/${run}`;
  const made = {
    job: first(env.CI_JOB_URL, env.BUILDKITE_BUILD_URL, github, env.CIRCLE_BUILD_URL, env.BUILD_URL),
    commit: first(env.CI_COMMIT_SHA, env.BUILDKITE_COMMIT, env.GITHUB_SHA, env.CIRCLE_SHA1, env.GIT_COMMIT),
    branch: first(
      ...[env.CI_COMMIT_REF_NAME, env.BUILDKITE_BRANCH, env.GITHUB_HEAD_REF, env.GITHUB_REF_NAME],
      ...[env.CIRCLE_BRANCH, env.GIT_BRANCH],
    ),
  };
  return Object.values(made).some((fact) => fact !== null) ? { host: hostname(), ...made } : null;
}
