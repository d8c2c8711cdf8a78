# MLE-STAR on Knative. `make help` lists what can be made.
SHELL := /bin/sh
EXAMPLE := src/examples/bird-strikes
RUN_ID ?= bird-strikes-$(shell date +%m%d-%H%M%S)
STORE ?= runs-store
MVN = JAVA_HOME="$$(src/build/find-jdk)" ./mvnw -B -ntp
JAR := target/mlestar-runner.jar
ARCHIVE := target/mlestar.jsa
OVERLAY ?= dev
REGISTRY ?= dev.local
# A new commit is a new tag, so that the cluster sees that there is something new.
TAG ?= $(shell git describe --always --dirty 2> /dev/null || echo 0.1.0)
ROOMS ?= task step agent phase engine
IMAGES ?= functions scripts-cpu scripts-gpu
SOURCES := $(shell find src/main prompts -type f) pom.xml

.PHONY: help build run test test-long native native-sources native-test bench lint mutate fuzz sbom audit python-locks manifests image deploy undeploy screenshots clean FORCE

help: ## say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST)

build: $(ARCHIVE) ## build the program, ./mlestar

$(JAR): $(SOURCES)
	@src/build/find-jdk > /dev/null
	$(MVN) -q package -DskipTests

$(ARCHIVE): $(JAR)
	@src/build/archive-classes

run: $(ARCHIVE) ## run the whole pipeline on the bird-strikes example, with recorded answers, and grade it
	./mlestar run --task $(EXAMPLE)/task.yaml --config $(EXAMPLE)/config.yaml \
	  --model recorded:$(EXAMPLE)/answers --store $(STORE) --run-id $(RUN_ID)
	@./mlestar grade --run $(RUN_ID) --store $(STORE) --labels $(EXAMPLE)/hidden/labels.csv

test: ## run the checks: unit, engine, door, layout and end-to-end tests
	@src/build/find-jdk > /dev/null
	$(MVN) verify -Pnative-sources,lint

test-long: ## the same, with the tests that take minutes: bigger, longer, and each provider
	@src/build/find-jdk > /dev/null
	$(MVN) verify -Pnative-sources -Dtests.excluded=none -Dproviders.all=true

native: ## build the program without a JVM, which ./mlestar then starts (needs GRAALVM_HOME)
	@src/build/find-graalvm > /dev/null
	GRAALVM_HOME="$$(src/build/find-graalvm)" $(MVN) package -Pnative -DskipTests

native-sources: ## do all of a native build but GraalVM's own part, and check it; needs no GraalVM
	@src/build/find-jdk > /dev/null
	$(MVN) verify -Pnative-sources -Dtest=StaticStateTest,NativeTypesTest,NativeWireTest -Dit.test=NativeSourcesIT

native-test: ## build the program without a JVM, and prove its doors, its commands and whole runs (needs GRAALVM_HOME)
	@src/build/find-graalvm > /dev/null
	GRAALVM_HOME="$$(src/build/find-graalvm)" $(MVN) verify -Pnative -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false

bench: ## measure the engine and the cost of an agent call beside its model; fails if a bound of the requirements is broken
	@src/build/find-jdk > /dev/null
	$(MVN) -q test-compile dependency:build-classpath -Dmdep.outputFile=target/test-classpath
	"$$(src/build/find-jdk)/bin/java" -Xmx512m -Djava.util.logging.manager=org.jboss.logmanager.LogManager \
	  -cp "target/test-classes:target/classes:$$(cat target/test-classpath)" io.mlestar.engine.Bench

lint: ## look for mistakes that compile (Error Prone), nulls that nobody declared (NullAway), and for what depends on the machine's locale, charset, time zone or environment (forbidden-apis)
	@src/build/find-jdk > /dev/null
	$(MVN) -Plint process-classes

mutate: ## change the code of ROOMS in small ways, and count how many changes the rooms' unit tests notice
	@src/build/find-jdk > /dev/null
	$(MVN) -q test-compile
	@for room in $(ROOMS); do \
	  $(MVN) -q -Pmutate org.pitest:pitest-maven:mutationCoverage -Dmutate.package=$$room || exit 1; \
	done

SEED ?= $(shell date +%s)
EXECUTIONS ?= 1000000

fuzz: ## let Jazzer feed each parser with EXECUTIONS made-up texts, from SEED on, and keep what it learned in target/fuzz
	@src/build/find-jdk > /dev/null
	$(MVN) -q -Pfuzz test-compile dependency:build-classpath -Dmdep.outputFile=target/fuzz-classpath
	@java="$$(src/build/find-jdk)/bin/java"; libraries="target/test-classes:target/classes:$$(cat target/fuzz-classpath)"; \
	for target in $$("$$java" -cp "$$libraries" io.mlestar.FuzzTarget target/fuzz); do \
	  echo "$$target: seed $(SEED), $(EXECUTIONS) executions"; \
	  "$$java" -Xmx1g -cp "$$libraries" com.code_intelligence.jazzer.Jazzer --target_class=io.mlestar.FuzzTarget --target_args=$$target \
	    --instrumentation_includes='io.mlestar.**' --custom_hook_excludes='**' --reproducer_path=target/fuzz/$$target \
	    -dict=target/fuzz/$$target/words.dict -artifact_prefix=target/fuzz/$$target/ -seed=$(SEED) -runs=$(EXECUTIONS) -timeout=60 \
	    target/fuzz/$$target/corpus > target/fuzz/$$target/log 2>&1 || { tail -40 target/fuzz/$$target/log; exit 1; }; \
	  tail -1 target/fuzz/$$target/log; \
	done

BILL := target/mlestar.cdx.json

sbom: ## write the bill of materials of the program (CycloneDX), target/mlestar.cdx.json
	@src/build/find-jdk > /dev/null
	$(MVN) -q quarkus:dependency-sbom -Dquarkus.dependency.sbom.runtime-only=true -Dquarkus.dependency.sbom.output-file=$(BILL)

AUDIT = osv-scanner scan source $(AUDIT_OPTIONS) -L $(BILL) $(foreach kind,cpu gpu,-L requirements.txt:src/build/python-$(kind).lock)

audit: sbom ## look for known vulnerabilities in the libraries of the program and of the scripts' images (needs osv-scanner)
	@command -v osv-scanner > /dev/null || { echo 'Nothing was looked at. Install osv-scanner (https://google.github.io/osv-scanner) and run:'; \
	  echo '  $(AUDIT)'; echo 'or, against data fetched before, make audit AUDIT_OPTIONS=--offline'; exit 1; }
	$(AUDIT)

python-locks: ## find the newest libraries that suit the scripts' images, and write them down with their hashes (needs uv)
	@for kind in cpu gpu; do (cd src/build && uv pip compile python-$$kind.txt -o python-$$kind.lock -q --generate-hashes \
	  --only-binary :all: --python-version 3.12 --python-platform x86_64-manylinux_2_28 --no-annotate \
	  --custom-compile-command 'make python-locks') || exit 1; done

manifests: ## write the manifests that are made from the list of functions, below k8s/ and prompts/
	@src/build/find-jdk > /dev/null
	$(MVN) -q test-compile dependency:build-classpath -Dmdep.outputFile=target/test-classpath
	"$$(src/build/find-jdk)/bin/java" -cp "target/test-classes:target/classes:$$(cat target/test-classpath)" io.mlestar.deploy.Manifests

IMAGE_functions := mlestar
IMAGE_scripts-cpu := mlestar-scripts
IMAGE_scripts-gpu := mlestar-scripts-gpu

image: $(IMAGES:%=image-%) ## build the container images (REGISTRY, TAG, IMAGES; PUSH=1 pushes them)

image-%:
	docker build -f Dockerfile.native --target $* -t $(REGISTRY)/$(IMAGE_$*):$(TAG) .
	@[ -z "$(PUSH)" ] || docker push $(REGISTRY)/$(IMAGE_$*):$(TAG)

# The overlay with these images; kubectl alone cannot set them.
target/deploy/kustomization.yaml: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' 'apiVersion: kustomize.config.k8s.io/v1beta1' 'kind: Kustomization' 'resources:' '- ../../k8s/overlays/$(OVERLAY)' \
	  'images:' $(foreach image,mlestar mlestar-scripts mlestar-scripts-gpu,'- name: $(image)' '  newName: $(REGISTRY)/$(image)' \
	  "  newTag: '$(TAG)'") > $@

deploy: target/deploy/kustomization.yaml ## install on the cluster of kubectl's context (OVERLAY: dev, kafka, gpu or oidc)
	kubectl apply -k target/deploy
	@for kind in brokers.eventing services.serving triggers.eventing; do \
	  kubectl -n mlestar wait --for=condition=Ready --timeout=5m $$kind.knative.dev --all || exit 1; \
	done

undeploy: target/deploy/kustomization.yaml ## remove all of it, its secrets included; what lies in the bucket stays
	kubectl delete -k target/deploy --ignore-not-found

screenshots: $(JAR) ## take pictures of the pages and the report, into target/screenshots; needs a Chromium
	$(MVN) -q test-compile dependency:build-classpath -Dmdep.outputFile=target/test-classpath
	"$$(src/build/find-jdk)/bin/java" -Djava.util.logging.manager=org.jboss.logmanager.LogManager \
	  -cp "target/test-classes:target/classes:$$(cat target/test-classpath)" io.mlestar.web.Screenshots target/screenshots

clean: ## remove what was built
	rm -rf target
