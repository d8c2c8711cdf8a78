# MLE-STAR on Knative. `make help` lists what can be made.
SHELL := /bin/sh
EXAMPLE := src/examples/bird-strikes
RUN_ID ?= $(notdir $(EXAMPLE))-$(shell date +%m%d-%H%M%S)
STORE ?= runs-store
MVN = ./mvnw -B -ntp
JAR := target/mlestar-runner.jar
# The program of a function's pod, in target/functions. Before the whole one, whose description of what was built has the last word.
FUNCTIONS = $(MVN) -q compile quarkus:build -Dquarkus.profile=functions
# What Quarkus Kubernetes writes of both programs, from application.properties and src/main/kubernetes. Before the whole one, too.
KUBERNETES = $(MVN) -q -Pkubernetes compile quarkus:build@knative quarkus:build@kubernetes
# Compiles the programs of src/tools/java, and starts one; `fuzz` sets MAVEN_PROFILE.
CLASSPATH = target/test-classes:target/classes:$$(cat target/test-classpath)
COMPILE_TOOLS = $(MVN) -q $(MAVEN_PROFILE) test-compile dependency:build-classpath -Dmdep.outputFile=target/test-classpath
TOOL = $(COMPILE_TOOLS) && "$$(src/build/find-jdk)/bin/java" -Xmx512m -Djava.util.logging.manager=org.jboss.logmanager.LogManager -cp "$(CLASSPATH)"
ARCHIVE := target/mlestar.jsa
OVERLAY ?= dev
REGISTRY ?= dev.local
# A new commit is a new tag, so that the cluster sees that there is something new.
TAG ?= $(shell git describe --always --dirty 2> /dev/null || echo 0.1.0)
# One Service for each function (full), or one for all agents and one for all phases (small).
PROFILE ?= full
# Parts of k8s that are added to the overlay, e.g. "observability data-volume".
COMPONENTS ?=
FUNCTION ?=
# Shows what a deployment would change, and changes nothing.
DRY_RUN ?=
# How many Services `make deploy` makes at once; two cores survive four.
AT_ONCE ?= 4
# Test classes for `make test`, with commas between: TEST those without the built program, IT those of the whole program.
TEST ?=
IT ?=
NAMESPACE ?= mlestar
ROOMS ?= core.task core.step core.agent core.phase core.records core.engine app.start
IMAGES ?= functions status scripts-cpu scripts-gpu
SOURCES := $(shell find src/main prompts docs/interfaces -type f) pom.xml

.PHONY: help build run test test-deployed test-bare test-long native native-sources native-test native-report bench lint format coverage mutate fuzz sbom audit python python-locks python-check docs dist manifests interfaces mle-bench image deploy deploy-one undeploy-one footprint cold-start kind undeploy screenshots results errors shift scores clean FORCE

help: ## say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST)

build: $(ARCHIVE) ## build the program, ./mlestar

$(JAR): $(SOURCES)
	$(MVN) -q package -Dmaven.test.skip

$(ARCHIVE): $(JAR)
	@src/build/archive-classes

run: $(ARCHIVE) ## run the whole pipeline on an EXAMPLE (bird strikes), with recorded answers, and grade it
	./mlestar run --task $(EXAMPLE)/task.yaml --config $(firstword $(wildcard $(EXAMPLE)/config.yaml) $(EXAMPLE)/../config.yaml) \
	  --model recorded:$(EXAMPLE)/answers --store $(STORE) --run-id $(RUN_ID)
	@./mlestar grade --run $(RUN_ID) --store $(STORE) --labels $(EXAMPLE)/hidden/labels.csv

test: ## run the checks: unit, engine, door, layout and end-to-end tests; or those of TEST=A,B or IT=C alone
ifneq ($(TEST),)
	$(MVN) -q test -Dtest='$(TEST)'
else ifneq ($(IT),)
	$(MVN) verify -Dtests.excluded=long -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test='$(IT)'
else
	$(MVN) verify -Plint
endif

test-deployed: ## run the tests of what is deployed: manifests by Quarkus Kubernetes, the functions' program, in pods of a stand-in for a cluster too, and all of a native build but GraalVM's own part
	$(KUBERNETES)
	$(FUNCTIONS) -Plint
	$(MVN) verify -Pnative-sources,lint -Dtests.excluded=long -Dgroups=deployed -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false

test-bare: ## run the tests that use programs which a machine may lack (bubblewrap, kubectl, a browser), with these hidden
	$(MVN) -q test-compile
	@src/build/test-bare

test-long: python-check ## the same, with the tests that take minutes: bigger, longer, and each provider
	$(FUNCTIONS)
	$(MVN) verify -Pnative-sources -Dtests.excluded=none -Dproviders.all=true -Dsimulation.seeds=2000 -Dchaos.seeds=10000 -Dfolded.seeds=200 -Dprocesses.seeds=100

# A native program takes the names of files in the encoding of the locale in which it was built.
native native-test cold-start: export LC_ALL = C.UTF-8
native: ## build the program without a JVM, which ./mlestar then starts (needs GRAALVM_HOME)
	@src/build/find-graalvm > /dev/null
	GRAALVM_HOME="$$(src/build/find-graalvm)" $(FUNCTIONS) -Pnative
	GRAALVM_HOME="$$(src/build/find-graalvm)" $(MVN) package -Pnative -DskipTests

native-sources: ## do all of a native build but GraalVM's own part, and check it; needs no GraalVM
	$(MVN) verify -Pnative-sources -Dtests.excluded=long -Dtest=StaticStateTest,NativeTypesTest,NativeWireTest -Dit.test=NativeSourcesIT

native-test: ## build the program without a JVM, and prove its doors, its commands and whole runs (needs GRAALVM_HOME)
	@src/build/find-graalvm > /dev/null
	GRAALVM_HOME="$$(src/build/find-graalvm)" $(FUNCTIONS) -Pnative
	GRAALVM_HOME="$$(src/build/find-graalvm)" $(MVN) verify -Pnative -Dtests.excluded=long -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false

native-report: ## print what the built programs weigh, by part
	@src/build/native-report

bench: $(JAR) ## measure steps, runs, agent calls and pages: time, memory, requests; fails if a bound is broken
	$(TOOL) io.mlestar.core.engine.Bench

lint: ## look for mistakes that compile (Error Prone), undeclared nulls (NullAway), and for what depends on the machine's locale, charset, time zone or environment (forbidden-apis)
	$(MVN) -Plint process-classes

format: ## format the Java sources as src/build/format.xml and format-tests.xml say
	$(MVN) -q -Plint formatter:format@main formatter:format@tests

coverage: ## count which lines the unit tests run, by room; the report is target/site/jacoco/index.html
	$(MVN) -q -Pcoverage test
	@awk -F, 'NR > 1 { sub(/.*\./, "", $$2); missed[$$2] += $$8; run[$$2] += $$9; m += $$8; r += $$9 } \
	  END { for (room in run) printf "%-12s %5d lines, %3.0f %% run\n", room, missed[room] + run[room], 100 * run[room] / (missed[room] + run[room]) | "sort"; \
	  close("sort"); printf "%-12s %5d lines, %3.0f %% run\n", "all", m + r, 100 * r / (m + r) }' target/site/jacoco/jacoco.csv

mutate: ## change the code of ROOMS in small ways, and count how many changes the rooms' unit tests notice
	$(MVN) -q test-compile
	@for room in $(ROOMS); do \
	  $(MVN) -q -Pmutate org.pitest:pitest-maven:mutationCoverage -Dmutate.package=$$room || exit 1; \
	done

SEED ?= $(shell date +%s)
EXECUTIONS ?= 1000000

fuzz: MAVEN_PROFILE = -Pfuzz
fuzz: ## let Jazzer feed each parser with EXECUTIONS made-up texts, from SEED on, and keep what it learned in target/fuzz
	$(COMPILE_TOOLS)
	@java="$$(src/build/find-jdk)/bin/java"; libraries="$(CLASSPATH)"; \
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
	$(MVN) -q quarkus:dependency-sbom -Dquarkus.dependency.sbom.runtime-only=true -Dquarkus.dependency.sbom.output-file=$(BILL)

AUDIT = osv-scanner scan source $(AUDIT_OPTIONS) -L $(BILL) $(foreach kind,small cpu gpu torch-cpu,-L requirements.txt:src/build/python-$(kind).lock)

audit: sbom ## look for known vulnerabilities in the libraries of the program and of the scripts' images (needs osv-scanner)
	@command -v osv-scanner > /dev/null || { echo 'Nothing was looked at. Install osv-scanner (https://google.github.io/osv-scanner) and run:'; \
	  echo '  $(AUDIT)'; echo 'or, against data fetched before, make audit AUDIT_OPTIONS=--offline'; exit 1; }
	$(AUDIT)

SET ?= small

python: ## make .venv, the Python that ./mlestar runs scripts with: SET=small (tables, images) or full (deep learning, text and sound, too; cpu or gpu names the kind)
	@src/build/make-python $(SET)

UV := target/uv/bin/uv

$(UV): src/build/python-uv.lock
	@python3 -m venv --clear target/uv
	@target/uv/bin/pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes -r $<

LOCK = $(UV) pip compile -q -U --universal --python-version 3.11 --only-binary :all: --generate-hashes --no-annotate --custom-compile-command 'make python-locks'

python-locks: $(UV) ## find the newest libraries that suit each other, and write them down with their hashes (needs the package index)
	$(LOCK) src/build/python-dist.txt -o src/build/python-dist.lock
	$(LOCK) src/build/python-docs.txt -o src/build/python-docs.lock
	$(LOCK) src/build/python-small.txt -o src/build/python-small.lock
	$(LOCK) src/build/python-cpu.txt -o src/build/python-cpu.lock -c src/build/python-small.lock --override src/build/python-no-torch.txt
	$(LOCK) src/build/python-gpu.txt -o src/build/python-gpu.lock -c src/build/python-small.lock

target/docs-python: src/build/python-docs.lock
	@python3 -m venv --clear $@
	@$@/bin/pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes -r $<
	@touch $@

docs: target/docs-python ## make a site of the documents, target/site; fails if a link leads nowhere (needs the package index once)
	@NO_MKDOCS_2_WARNING=1 target/docs-python/bin/mkdocs build --strict

dist: $(JAR) ## build, in target/dist, the Python package as wheel and sdist, and the program as an archive for the JVM (and a native one after make native)
	@src/build/make-dist
	@src/build/make-archive

python-check: $(UV) ## ask the package index whether all that is locked is still there, with its hashes
	@src/build/check-python $(abspath $(UV))

manifests: ## write what is made from the list of functions: manifests below k8s/ and prompts/, the Funqy methods of agents and phases
	$(KUBERNETES)
	cp target/knative/kubernetes/knative.yml target/kubernetes/kubernetes/kubernetes.yml k8s/quarkus/
	$(TOOL) io.mlestar.deploy.Manifests

interfaces: ## write what the program says of its interfaces, docs/interfaces, from its records and lists
	$(TOOL) io.mlestar.interfaces.Interfaces

IMAGE_functions := mlestar
IMAGE_status := mlestar-status
IMAGE_scripts-cpu := mlestar-scripts
IMAGE_scripts-gpu := mlestar-scripts-gpu

image: $(IMAGES:%=image-%) ## build the container images (REGISTRY, TAG, IMAGES; PUSH=1 pushes them)

image-%:
	@[ -z '$(PUSH)' ] || case '$(TAG)' in *-dirty) echo 'make image: $(TAG) is no commit, so nothing is pushed: commit, or name a TAG' >&2; exit 1 ;; esac
	docker build -f Dockerfile.native --build-arg COMMIT="$$(git describe --always --dirty --abbrev=12 --exclude '*' 2> /dev/null)" --target $* -t $(REGISTRY)/$(IMAGE_$*):$(TAG) .
	@[ -z "$(PUSH)" ] || docker push $(REGISTRY)/$(IMAGE_$*):$(TAG)

# Where the kustomization of this deployment is written.
DEPLOYED := target/deploy
# A file with a line "mlestar sha256:..." for each image, as a release has it: these very images are deployed, whatever a tag says by then.
DIGESTS ?=
pinned = $(if $(DIGESTS),digest: $(or $(shell sed -n 's/^$(1) //p' $(DIGESTS)),$(error $(DIGESTS) names no digest of $(1))),newTag: '$(TAG)')

# The overlay with these images; kubectl alone cannot set them. An account in an EventPolicy bears the namespace in its name, which kustomize does not see.
$(DEPLOYED)/kustomization.yaml: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' 'apiVersion: kustomize.config.k8s.io/v1beta1' 'kind: Kustomization' 'namespace: $(NAMESPACE)' 'resources:' \
	  '- ../../k8s/overlays/$(OVERLAY)' \
	  'components:' $(foreach component,$(filter-out full,$(PROFILE)) $(COMPONENTS) one-image,'- ../../k8s/$(component)') \
	  'images:' $(foreach image,$(foreach made,functions status scripts-cpu scripts-gpu,$(IMAGE_$(made))),'- name: registry.invalid/$(image)' '  newName: $(REGISTRY)/$(image)' \
	  "  $(call pinned,$(image))") \
	  'patches:' '- target: {kind: EventPolicy, name: into-broker}' \
	  '  patch: |-' '    - {op: replace, path: /spec/from/2/sub, value: "system:serviceaccount:$(NAMESPACE):run-starter"}' > $@

deploy: $(DEPLOYED)/kustomization.yaml ## install on the cluster of kubectl's context (OVERLAY: dev, kafka, gpu, gpu-kinds, oidc, secure; PROFILE: full, small; COMPONENTS, NAMESPACE), or one FUNCTION of it; DRY_RUN=1 shows what would change
	@DRY_RUN='$(DRY_RUN)' FUNCTION='$(FUNCTION)' NAMESPACE='$(NAMESPACE)' AT_ONCE='$(AT_ONCE)' src/build/deploy

# The whole program as one Deployment, with this image.
target/deploy-one/kustomization.yaml: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' 'apiVersion: kustomize.config.k8s.io/v1beta1' 'kind: Kustomization' 'namespace: $(NAMESPACE)' 'resources:' '- ../../k8s/one' \
	  $(if $(COMPONENTS),'components:' $(foreach component,$(COMPONENTS),'- ../../k8s/$(component)')) \
	  'images:' '- name: registry.invalid/mlestar-scripts' '  newName: $(REGISTRY)/mlestar-scripts' "  $(call pinned,mlestar-scripts)" > $@

deploy-one: target/deploy-one/kustomization.yaml ## install the whole program as one Deployment, without Knative (REGISTRY, TAG, NAMESPACE; COMPONENTS=one-bucket for runs in a bucket)
	@NAMESPACE='$(NAMESPACE)' src/build/deploy-one

undeploy-one: target/deploy-one/kustomization.yaml ## remove that, but for the volume with the runs
	kubectl delete -k target/deploy-one -l 'app.kubernetes.io/component!=store' --ignore-not-found

footprint: ## count what each profile puts into a cluster and asks of it, from the manifests (needs kubectl)
	@$(TOOL) io.mlestar.deploy.Footprint

HELLO = $(MVN) -q -f src/tools/hello/pom.xml package

cold-start: build ## measure how long each kind of pod needs until it is ready, without the cluster's part, beside a function that says hello; native too after make native
	$(FUNCTIONS)
	$(HELLO)
	@! [ -x target/functions/mlestar-runner ] || GRAALVM_HOME="$$(src/build/find-graalvm)" $(HELLO) -Pnative
	@$(TOOL) io.mlestar.deploy.ColdStart

kind: ## make a cluster of kind with Knative, build the images, and install overlay dev (SERVING, EVENTING: versions of Knative; needs docker, kind, kubectl)
	@TAG='$(TAG)' src/build/kind

undeploy: $(DEPLOYED)/kustomization.yaml ## remove all that deploy made in the namespace; the namespace, your secrets and what lies in the bucket stay
	kubectl delete -k $(DEPLOYED) -l 'mlestar.io/scope!=cluster' --ignore-not-found

screenshots: $(JAR) ## take pictures of the pages and the report, into target/screenshots (needs a Chromium), and of a run in the terminal, docs/run.svg
	$(TOOL) io.mlestar.app.web.Screenshots target/screenshots

results: ## print what each system reached on the tasks of src/proof, from the submissions kept there (needs make python)
	@.venv/bin/python src/proof/results.py

errors: ## print what hidden rows bring and cost on the tasks of src/proof, by number of folds, without a model (needs make python; some ten minutes)
	@.venv/bin/python src/proof/errors.py

shift: ## print whether hidden rows rank models as the true test does, on made tasks whose test differs from training (needs make python; some ten minutes)
	@.venv/bin/python -W ignore src/proof/shift.py

scores: ## compare the plain lines that tests check scores by with scikit-learn (needs make python)
	@.venv/bin/python src/test/resources/holdout/scores.py --scikit-learn

AGENTS ?=

mle-bench: $(JAR) ## put this agent, with the program, into AGENTS, the folder of agents in a checkout of MLE-bench
	@[ -d "$(AGENTS)" ] || { echo 'name the folder: make mle-bench AGENTS=/path/to/mle-bench/agents' >&2; exit 2; }
	mkdir -p "$(AGENTS)/mlestar/target" "$(AGENTS)/mlestar/src/build"
	cp src/mle-bench/* mlestar "$(AGENTS)/mlestar/"
	cp $(JAR) "$(AGENTS)/mlestar/target/"
	cp src/build/find-jdk "$(AGENTS)/mlestar/src/build/"

clean: ## remove what was built
	rm -rf target
