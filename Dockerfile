# The image of migrate, api, worker and simulator; the command says which one a container runs. Only the pages for
# browsers are built: Node runs the TypeScript as it is.

# What production needs, without npm's cache, the packages for tests, and the Node of the package `node`, which only
# `npm start` and `npm test` use: install scripts are not run, and no other package needs one. npm leaves out the
# workspaces, such as the client: their folders are not copied. It keeps Vue, React and TypeScript (50 MB), because better-auth
# could use them if they are there; nothing does.
FROM node:24-slim AS dependencies
WORKDIR /service
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name '*-linux-gnu' -exec rm -r {} + \
  && rm -rf node_modules/vue node_modules/@vue node_modules/react node_modules/react-dom node_modules/typescript node_modules/@typescript

# The documentation site and the console, which the API serves at /docs and /console.
FROM node:24-slim AS pages
WORKDIR /service
COPY package.json package-lock.json ./
COPY client client
COPY console console
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY CHANGELOG.md ./
COPY client/README.md client/
COPY docs docs
COPY scripts scripts
COPY src/messages/segments.ts src/messages/segments.ts
RUN node scripts/build-docs.ts && node scripts/build-console.ts

FROM node:24-slim
ENV NODE_ENV=production
# See scripts/embedded/children.ts.
ENV NODE_OPTIONS="--max-semi-space-size=16 --expose-gc" MALLOC_ARENA_MAX=2
# Metrics and health, for the network of the containers. Do not publish this port.
ENV METRICS_HOST=0.0.0.0 METRICS_PORT=9464
WORKDIR /service
COPY package.json openapi.yaml mikro-orm.config.ts ./
COPY openapi openapi
COPY migrations migrations
COPY workflows workflows
COPY activities activities
COPY src src
COPY --from=dependencies /service/node_modules node_modules
COPY --from=pages /service/docs/.vitepress/dist docs/.vitepress/dist
COPY --from=pages /service/console/dist console/dist
# As a number, so that Kubernetes can tell that it is not root: the image's user `node`.
USER 1000:1000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/api.ts"]
