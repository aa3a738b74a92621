# The image of migrate, api, worker and simulator; docker-compose.yml says which one a container runs.
# There is no build step: Node runs the TypeScript as it is.
FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /service
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY openapi.yaml mikro-orm.config.ts ./
COPY openapi openapi
COPY migrations migrations
COPY workflows workflows
COPY activities activities
COPY src src
USER node
# See scripts/embedded/children.ts.
ENV NODE_OPTIONS="--max-semi-space-size=16 --expose-gc" MALLOC_ARENA_MAX=2
CMD ["node", "src/api.ts"]
